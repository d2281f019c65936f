// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "overview_result.h"
#include "page_reader.h"

/* How the columns of each kind of table are written, and which of them is the run, or -1. */
static const struct {
	const char *columns;
	int run;
} formats[KINDS] = {
	[CPU] = { "vb", -1 },
	[STATES] = { "vbbbbbbb", 0 },
	[SPANS] = { "bvvbb", 1 },
	[CPU_DENSITY] = { "vvvv", 0 },
	[THREAD_DENSITY] = { "vvvv", 0 },
	[COUNTERS] = { "vvzzz", 1 },
	[MARKS] = { "vvv", 0 },
	[KERNEL] = { "bvvbb", 1 },
	[IDLE] = { "vbb", 0 },
	[FREQUENCIES] = { "vvvv", 0 },
	[INTERRUPTS] = { "vbb", 0 },
	[DEVICES] = { "vv", 0 },
	[UNCORE] = { "vvb", 0 },
};

static void read_column(struct table *table, int column, const uint8_t **at)
{
	char as = formats[table->kind].columns[column];

	table->columns[column] = calloc(table->nr, sizeof(**table->columns));
	for (size_t i = 0; i < table->nr; i++) {
		if (as == 'b')
			table->columns[column][i] = *(*at)++;
		else
			table->columns[column][i] = as == 'z' ? page_reader_zigzag(at) :
								(int64_t)page_reader_varint(at);
	}
}

static void read_tables(struct result *result)
{
	const uint8_t *at = result->block.bytes, *end = at + result->block.nr_bytes;

	while (at < end) {
		struct table *table;

		result->tables = realloc(result->tables, (result->nr + 1) * sizeof(*table));
		table = &result->tables[result->nr++];
		*table = (struct table){ .kind = *at++ };
		assert_in_range(table->kind, CPU, KINDS - 1);
		assert_non_null(formats[table->kind].columns);
		table->owner = page_reader_varint(&at);
		table->nr = page_reader_varint(&at);
		assert_true(table->nr > 0);
		for (int i = 0; formats[table->kind].columns[i]; i++)
			read_column(table, i, &at);
	}
	assert_ptr_equal(at, end);
}

struct result result_of(struct overview *overview, const struct model *rest)
{
	struct result result = { .bucket_ns = overview_bucket_ns(overview),
				 .nr_buckets = overview_nr_buckets(overview) };

	overview_write(overview, rest, &result.block);
	overview_free(overview);
	read_tables(&result);
	return result;
}

void free_result(struct result *result)
{
	for (size_t i = 0; i < result->nr; i++)
		for (int j = 0; j < MAX_COLUMNS; j++)
			free(result->tables[i].columns[j]);
	free(result->tables);
	block_free(&result->block);
}

const struct table *find_table(const struct result *result, int kind, uint64_t owner)
{
	const struct table *found = NULL;

	for (size_t i = 0; i < result->nr; i++) {
		if (result->tables[i].kind == kind && result->tables[i].owner == owner) {
			assert_null(found);
			found = &result->tables[i];
		}
	}
	return found;
}

size_t *rows_of_buckets(const struct result *result, const struct table *table, size_t first,
			size_t past)
{
	int run = formats[table->kind].run;
	size_t *rows = calloc(result->nr_buckets, sizeof(*rows)), at = 0;

	for (size_t i = first; i < past; i++) {
		uint64_t nr = run < 0 ? 1 : (uint64_t)table->columns[run][i];

		assert_in_range(nr, 1, result->nr_buckets - at);
		while (nr--)
			rows[at++] = i;
	}
	assert_int_equal(at, result->nr_buckets);
	return rows;
}
