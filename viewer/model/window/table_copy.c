// SPDX-License-Identifier: GPL-2.0
#include "model/window/table_copy.h"

#include <stdlib.h>
#include <string.h>

#include "model/table_rows.h"
#include "util/spill/spill.h"

/* One of a table's arrays. */
struct array_field {
	size_t offset; /* of the pointer */
	size_t element_bytes;
};

/* The arrays of a table; each table begins with its number of rows. */
struct layout {
	const struct array_field *fields;
	size_t nr_fields;
};

/* state_fields ... */
#define TABLE(name, ...) static const struct array_field name##_fields[] = {
#define COLUMN(name, field, type, ...) { offsetof(struct name##_table, field), sizeof(type) },
#define TABLE_END(name) \
	}               \
	;
#include "model/tables.def"

#define LAYOUT(name)                                                            \
	(struct layout)                                                         \
	{                                                                       \
		name##_fields, sizeof(name##_fields) / sizeof(name##_fields[0]) \
	}

static char *array_of(const void *table, const struct array_field *field)
{
	char *array;

	memcpy(&array, (const char *)table + field->offset, sizeof(array));
	return array;
}

static void set_array(void *table, const struct array_field *field, char *array)
{
	memcpy((char *)table + field->offset, &array, sizeof(array));
}

/* Of a table of @nr rows. */
static char *grow_array(void *table, const struct array_field *field, size_t nr, size_t capacity)
{
	char *array = spill_resize(array_of(table, field), nr, capacity, field->element_bytes);

	set_array(table, field, array);
	return array;
}

/* What a table does not have is 0. */
static void copy_array(char *to, const char *from, const struct array_field *field, size_t first,
		       size_t nr)
{
	if (from)
		memcpy(to, from + first * field->element_bytes, nr * field->element_bytes);
	else
		memset(to, 0, nr * field->element_bytes);
}

/* Whether a table of @nr rows has to grow for @nr_more. */
static bool has_no_room(size_t nr, size_t nr_more)
{
	return !nr || column_capacity(nr + nr_more) != column_capacity(nr);
}

static void copy_rows(void *to, const void *from, struct layout layout, size_t first, size_t nr)
{
	size_t *nr_to = to, capacity = column_capacity(*nr_to + nr);
	bool is_full = has_no_room(*nr_to, nr);

	if (!nr)
		return;
	for (size_t i = 0; i < layout.nr_fields; i++) {
		const struct array_field *field = &layout.fields[i];
		char *array = is_full ? grow_array(to, field, *nr_to, capacity) :
					array_of(to, field);

		copy_array(array + *nr_to * field->element_bytes, array_of(from, field), field,
			   first, nr);
	}
	*nr_to += nr;
}

static void drop_rows(void *table, struct layout layout, size_t nr)
{
	size_t *nr_rows = table;

	if (!nr)
		return;
	*nr_rows -= nr;
	for (size_t i = 0; i < layout.nr_fields; i++) {
		const struct array_field *field = &layout.fields[i];
		char *array = array_of(table, field);

		if (*nr_rows && array)
			memmove(array, array + nr * field->element_bytes,
				*nr_rows * field->element_bytes);
	}
}

/* Of @view, a table of @nr rows. */
static void view_rows(void *view, const void *from, struct layout layout, size_t first)
{
	for (size_t i = 0; i < layout.nr_fields; i++) {
		const struct array_field *field = &layout.fields[i];
		char *array = array_of(from, field);

		if (array)
			set_array(view, field, array + first * field->element_bytes);
	}
}

static char *permute_array(const char *array, size_t element_bytes, const size_t *rows, size_t nr)
{
	char *moved = spill_resize(NULL, 0, nr + 1, element_bytes);

	for (size_t i = 0; i < nr; i++)
		memcpy(moved + i * element_bytes, array + rows[i] * element_bytes, element_bytes);
	return moved;
}

static void permute_rows(void *table, struct layout layout, const size_t *rows)
{
	const size_t *nr_rows = table;

	for (size_t i = 0; i < layout.nr_fields; i++) {
		const struct array_field *field = &layout.fields[i];
		char *array = array_of(table, field);

		if (!*nr_rows)
			return;
		set_array(table, field, permute_array(array, field->element_bytes, rows, *nr_rows));
		spill_free(array);
	}
}

/* @to has at least as many counters. */
static void copy_counts(struct slice_count_table *to, const struct slice_count_table *from,
			size_t first, size_t nr)
{
	uint64_t *row = to->counts + to->nr * to->nr_counters;

	for (size_t i = first; i < first + nr; i++, row += to->nr_counters) {
		memcpy(row, from->counts + i * from->nr_counters, from->nr_counters * sizeof(*row));
		memset(row + from->nr_counters, 0,
		       (to->nr_counters - from->nr_counters) * sizeof(*row));
	}
}

void slice_count_table_copy(struct slice_count_table *to, const struct slice_count_table *from,
			    size_t first, size_t nr)
{
	while (to->nr_counters < from->nr_counters)
		slice_count_table_widen(to);
	if (!nr)
		return;
	if (has_no_room(to->nr, nr))
		to->counts = spill_resize(to->counts, to->nr, column_capacity(to->nr + nr),
					  to->nr_counters * sizeof(*to->counts));
	copy_counts(to, from, first, nr);
	copy_rows(to, from, LAYOUT(slice_count), first, nr);
}

void slice_count_table_drop(struct slice_count_table *table, size_t nr)
{
	drop_rows(table, LAYOUT(slice_count), nr);
	if (nr && table->nr)
		memmove(table->counts, table->counts + nr * table->nr_counters,
			table->nr * table->nr_counters * sizeof(*table->counts));
}

void slice_count_table_permute(struct slice_count_table *table, const size_t *rows)
{
	uint64_t *counts = table->counts;

	table->counts = (uint64_t *)permute_array((const char *)counts,
						  table->nr_counters * sizeof(*counts), rows,
						  table->nr);
	spill_free(counts);
	permute_rows(table, LAYOUT(slice_count), rows);
}

#define WIDE_TABLE(...)
#define TABLE(name, ...)                                                                     \
	void name##_table_copy(struct name##_table *to, const struct name##_table *from,     \
			       size_t first, size_t nr)                                      \
	{                                                                                    \
		copy_rows(to, from, LAYOUT(name), first, nr);                                \
	}                                                                                    \
                                                                                             \
	void name##_table_drop(struct name##_table *table, size_t nr)                        \
	{                                                                                    \
		drop_rows(table, LAYOUT(name), nr);                                          \
	}                                                                                    \
                                                                                             \
	struct name##_table name##_table_view(const struct name##_table *from, size_t first, \
					      size_t nr)                                     \
	{                                                                                    \
		struct name##_table view = { .nr = nr };                                     \
                                                                                             \
		view_rows(&view, from, LAYOUT(name), first);                                 \
		return view;                                                                 \
	}                                                                                    \
                                                                                             \
	void name##_table_permute(struct name##_table *table, const size_t *rows)            \
	{                                                                                    \
		permute_rows(table, LAYOUT(name), rows);                                     \
	}
#include "model/tables.def"
