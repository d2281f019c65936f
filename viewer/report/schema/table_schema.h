/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of an analysis, as JSON Schema.
 */
#ifndef ANNOT_TABLE_SCHEMA_H
#define ANNOT_TABLE_SCHEMA_H

#include "report/table/analysis_table.h"

/* Of what table_json_write() writes: members of the "properties" that @json is in. */
void table_schema_members(const struct analysis_desc *desc, struct json *json);

/* Likewise, elements of the array "required" that @json is in. */
void table_schema_required(const struct analysis_desc *desc, struct json *json);

#endif /* ANNOT_TABLE_SCHEMA_H */
