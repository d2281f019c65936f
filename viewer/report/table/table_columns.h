/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the columns of all analyses are: for readers of their rows.
 */
#ifndef ANNOT_TABLE_COLUMNS_H
#define ANNOT_TABLE_COLUMNS_H

#include <stdio.h>

#include "util/text/json.h"

/* For the page: "analyses", the titles and columns of those that have tables. */
void table_columns_json(struct json *json);

/* For annot-report(1): a list for each table. */
void table_columns_mdoc(FILE *out);

#endif /* ANNOT_TABLE_COLUMNS_H */
