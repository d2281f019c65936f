/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the name ids in batches mean: an id is a name's in one table, for the whole trace.
 */
#ifndef ANNOT_TRACE_DECODE_NAME_TABLE_H
#define ANNOT_TRACE_DECODE_NAME_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/string_table.h"

struct name_table;

/* @strings must stay as long as the table. */
struct name_table *name_table_new(struct string_table *strings);
void name_table_free(struct name_table *names);

/* From now on, @id of @table is the string @string. */
void name_table_set(struct name_table *names, uint32_t table, uint32_t id, uint32_t string);

/*
 * The string of @id in @table. One that was never set gets a name that tells the numbers, and
 * *@known is false.
 */
uint32_t name_table_get(struct name_table *names, uint32_t table, uint32_t id, bool *known);

#endif /* ANNOT_TRACE_DECODE_NAME_TABLE_H */
