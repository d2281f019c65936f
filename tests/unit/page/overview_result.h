/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an overview writes, read back: the tables that the page gets.
 */
#ifndef TEST_OVERVIEW_RESULT_H
#define TEST_OVERVIEW_RESULT_H

#include "model/model.h"
#include "page/overview/overview.h"

#define MAX_COLUMNS 8

enum {
	CPU = 20,
	STATES,
	SPANS,
	CPU_DENSITY,
	THREAD_DENSITY,
	COUNTERS,
	MARKS,
	KERNEL = 29,
	IDLE = 34,
	FREQUENCIES,
	INTERRUPTS,
	DEVICES = 44,
	UNCORE = 46,
	KINDS
};

struct table {
	int kind;
	uint64_t owner;
	size_t nr;
	int64_t *columns[MAX_COLUMNS];
};

/* What was written, and the size of the buckets. */
struct result {
	struct block block;
	uint64_t bucket_ns;
	uint64_t nr_buckets;
	size_t nr;
	struct table *tables;
};

/* Ends @overview. free_result() frees what is in it. */
struct result result_of(struct overview *overview, const struct model *rest);
void free_result(struct result *result);

/* NULL: there is none. Fails if there are several. */
const struct table *find_table(const struct result *result, int kind, uint64_t owner);

/*
 * Of the rows [first, past): that of each bucket, which must be as many as there are. free() them.
 */
size_t *rows_of_buckets(const struct result *result, const struct table *table, size_t first,
			size_t past);

#endif /* TEST_OVERVIEW_RESULT_H */
