/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The JSON Schema of annot report --by WHAT --json.
 */
#ifndef ANNOT_RANKING_SCHEMA_H
#define ANNOT_RANKING_SCHEMA_H

#include <stdio.h>

#include "analysis/memory/ranking.h"

/* Rows have the labels of @key. */
void ranking_schema(enum ranking_key key, FILE *out);

#endif /* ANNOT_RANKING_SCHEMA_H */
