/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of an analysis as text.
 */
#ifndef ANNOT_TABLE_TEXT_H
#define ANNOT_TABLE_TEXT_H

#include "report/table/analysis_table.h"

/* The tables of @desc, an empty line between two. */
void table_text_write(const struct analyses *analyses, const struct analysis_desc *desc, FILE *out);

#endif /* ANNOT_TABLE_TEXT_H */
