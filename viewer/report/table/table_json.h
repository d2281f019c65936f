/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of an analysis as JSON.
 */
#ifndef ANNOT_TABLE_JSON_H
#define ANNOT_TABLE_JSON_H

#include "report/table/analysis_table.h"

/* Keys of the object that @json is in: one for each table of @desc, and "left_out". */
void table_json_write(const struct analyses *analyses, const struct analysis_desc *desc,
		      struct json *json);

/* An object: @row of @table. */
void table_json_row(struct json *json, const struct table_source *source,
		    const struct analysis_table *table, const void *row);

#endif /* ANNOT_TABLE_JSON_H */
