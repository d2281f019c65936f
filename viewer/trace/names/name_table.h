/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of the ids in batches. An id belongs to one table for the whole trace.
 */
#ifndef ANNOT_TRACE_NAMES_NAME_TABLE_H
#define ANNOT_TRACE_NAMES_NAME_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/string_table.h"

struct name_table;

/* @strings must outlive the table. */
struct name_table *name_table_new(struct string_table *strings);
void name_table_free(struct name_table *names);

/* From now on, @id of @table is the string @string. */
void name_table_set(struct name_table *names, uint32_t table, uint32_t id, uint32_t string);

/*
 * The string of @id in @table. If it was never set, returns a name made of the numbers, and sets
 * *@known to false.
 */
uint32_t name_table_get(struct name_table *names, uint32_t table, uint32_t id, bool *known);

#endif /* ANNOT_TRACE_NAMES_NAME_TABLE_H */
