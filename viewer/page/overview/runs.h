/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table of the overview: run-length-encoded rows. They are gathered, and then written column by
 * column.
 */
#ifndef ANNOT_PAGE_OVERVIEW_RUNS_H
#define ANNOT_PAGE_OVERVIEW_RUNS_H

#include <stddef.h>
#include <stdint.h>

#include "page/block.h"

#define RUNS_COLUMNS_MAX 8

/* PAGE_CPU_OVERVIEW ...: the kinds of tables, as tables.def has them. */
enum overview_kind {
#define OVERVIEW_TABLE(kind, number, ...) PAGE_##kind = (number),
#include "model/tables.def"
};

/* Fields except the first two are private. runs_free() frees the rows. */
struct runs {
	uint8_t kind; /* enum overview_kind */
	int run_column; /* column with the length of the run; -1: each row is one bucket */
	uint64_t (*rows)[RUNS_COLUMNS_MAX];
	size_t nr;
	size_t capacity;
};

/*
 * Adds a run of @nr_buckets with @values; the run column of @values is overwritten. Does nothing
 * for 0.
 */
void runs_add(struct runs *runs, uint64_t nr_buckets, uint64_t values[RUNS_COLUMNS_MAX]);

/* Writes the table, unless it is empty, and clears it. */
void runs_put(struct runs *runs, uint64_t owner, struct block *block);
void runs_free(struct runs *runs);

#endif /* ANNOT_PAGE_OVERVIEW_RUNS_H */
