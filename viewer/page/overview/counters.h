/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of counters: the values of threads' counters.
 */
#ifndef ANNOT_PAGE_OVERVIEW_COUNTERS_H
#define ANNOT_PAGE_OVERVIEW_COUNTERS_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/points.h"

struct overview_counter {
	uint32_t thread;
	uint32_t name;
	struct overview_points points;
};

/* The counters of all threads, and a hash table to find them by thread and name. */
struct overview_counters {
	size_t nr;
	size_t capacity;
	struct overview_counter *counters;
	size_t nr_places; /* a power of two */
	uint32_t *places; /* an index into counters, plus 1 */
	size_t last; /* the counter of the last look-up */
};

/* Among values of the same time, the one added last counts as last. */
void overview_add_value(struct overview_axis *axis, struct overview_counters *counters,
			uint32_t thread, uint32_t name, uint64_t time_ns, int64_t value);
void overview_coarsen_counters(struct overview_axis *axis, struct overview_counters *counters,
			       unsigned int nr_doublings);
/* Writes the table of all threads. Nothing may be added afterwards. */
void overview_put_counters(struct overview_counters *counters, uint32_t nr_buckets,
			   struct block *block);
void overview_free_counters(struct overview_axis *axis, struct overview_counters *counters);

#endif /* ANNOT_PAGE_OVERVIEW_COUNTERS_H */
