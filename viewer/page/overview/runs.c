// SPDX-License-Identifier: GPL-2.0
#include "page/overview/runs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

/* How each column of a kind is written: 'b' u8, 'v' varint, 'z' zigzag. */
#define AS_u8 "b"
#define AS_id "v"
#define AS_count "v"
#define AS_value "z"

static const char *const columns_of[] = {
#define OVERVIEW_TABLE(kind, number, ...) [number] = ""
#define OVERVIEW_COLUMN(encoding, ...) AS_##encoding
#define OVERVIEW_TABLE_END() ,
#include "model/tables.def"
};

static bool continues_run(const struct runs *runs, const uint64_t *values)
{
	const char *columns = columns_of[runs->kind];
	const uint64_t *last;

	if (!runs->nr || runs->run_column < 0)
		return false;
	last = runs->rows[runs->nr - 1];
	for (int i = 0; columns[i]; i++) {
		if (i != runs->run_column && last[i] != values[i])
			return false;
	}
	return true;
}

static void add_row(struct runs *runs, const uint64_t *values)
{
	ARRAY_MAKE_ROOM(runs->rows, runs->nr, runs->capacity);
	memcpy(runs->rows[runs->nr++], values, sizeof(*runs->rows));
}

void runs_add(struct runs *runs, uint64_t nr_buckets, uint64_t values[RUNS_COLUMNS_MAX])
{
	if (!nr_buckets)
		return;
	if (continues_run(runs, values)) {
		runs->rows[runs->nr - 1][runs->run_column] += nr_buckets;
		return;
	}
	if (runs->run_column >= 0) {
		values[runs->run_column] = nr_buckets;
		nr_buckets = 1;
	}
	while (nr_buckets--)
		add_row(runs, values);
}

static void put_value(struct block *block, char as, uint64_t value)
{
	if (as == 'b')
		block_put_u8(block, (uint8_t)value);
	else if (as == 'v')
		block_put_varint(block, value);
	else
		block_put_zigzag(block, (int64_t)value);
}

void runs_put(struct runs *runs, uint64_t owner, struct block *block)
{
	const char *columns = columns_of[runs->kind];

	if (!runs->nr)
		return;
	block_put_u8(block, runs->kind);
	block_put_varint(block, owner);
	block_put_varint(block, runs->nr);
	for (int column = 0; columns[column]; column++)
		for (size_t i = 0; i < runs->nr; i++)
			put_value(block, columns[column], runs->rows[i][column]);
	runs->nr = 0;
}

void runs_free(struct runs *runs)
{
	free(runs->rows);
}
