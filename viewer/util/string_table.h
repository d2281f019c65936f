/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interned strings: equal strings have equal ids, ids count up from 1, 0 is the empty string.
 * The bytes never move, so a pointer to them is good until string_table_free().
 */
#ifndef ANNOT_UTIL_STRING_TABLE_H
#define ANNOT_UTIL_STRING_TABLE_H

#include <stddef.h>
#include <stdint.h>

#define STRING_TABLE_NONE UINT32_MAX

struct string_table;

struct string_table *string_table_new(void);
void string_table_free(struct string_table *table);

/* The id of the @length bytes at @bytes, which need no NUL. */
uint32_t string_table_intern(struct string_table *table, const char *bytes, size_t length);

/* The same of bytes that are there already; STRING_TABLE_NONE: they are not. Writes nothing. */
uint32_t string_table_find(const struct string_table *table, const char *bytes, size_t length);

const char *string_table_get(const struct string_table *table, uint32_t id);
uint32_t string_table_count(const struct string_table *table);

#endif /* ANNOT_UTIL_STRING_TABLE_H */
