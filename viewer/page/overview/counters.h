/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the overview that is values of threads' counters.
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

/* Those of all threads, and where they are found by thread and name. */
struct overview_counters {
	size_t nr;
	size_t capacity;
	struct overview_counter *counters;
	size_t nr_places; /* a power of two */
	uint32_t *places; /* an index into counters, plus 1 */
	size_t last; /* that was asked for */
};

/* Among values of one time the one that was added last is the last. */
void overview_add_value(struct overview_axis *axis, struct overview_counters *counters,
			uint32_t thread, uint32_t name, uint64_t time_ns, int64_t value);
void overview_coarsen_counters(struct overview_axis *axis, struct overview_counters *counters,
			       unsigned int nr_doublings);
/* Of all threads. Nothing can be added any more. */
void overview_put_counters(struct overview_counters *counters, uint32_t nr_buckets,
			   struct block *block);
void overview_free_counters(struct overview_axis *axis, struct overview_counters *counters);

#endif /* ANNOT_PAGE_OVERVIEW_COUNTERS_H */
