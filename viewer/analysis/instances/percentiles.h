/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long the instances of tasks take: percentiles with their intervals, and a histogram. Of tasks with
 * PERCENTILES_LEAST_INSTANCES or more instances that begin and end in the trace: those of work first, then waits.
 *
 * A percentile is the shortest instance than which that share of all is not longer. Its interval covers what the percentile
 * would be of endlessly many such instances in 95 of 100 cases or more, if they are independent of each other
 * (quantile_interval.h). Where there are too few instances, an end of it is not known: the true p99.9 is beyond the
 * longest of a thousand in 37 of 100 cases.
 *
 * Cost: O(n log n) of n spans.
 */
#ifndef ANNOT_PERCENTILES_H
#define ANNOT_PERCENTILES_H

#include "analysis/tasks/task_stats.h"
#include "analysis/stats/histogram.h"

#define PERCENTILES_LEAST_INSTANCES 30
#define PERCENTILES_COVERAGE 0.95
#define NR_PERCENTILES 5

struct percentile_row {
	uint32_t task; /* of the task_stats */
	uint64_t nr_instances;
	size_t which; /* of percentile_name() */
	uint64_t ns;
	bool has_low; /* the interval's ends are known */
	bool has_high;
	uint64_t low_ns;
	uint64_t high_ns;
	uint32_t thread; /* the instance that it is, and when */
	uint64_t from_ns;
	uint64_t to_ns;
};

/* A step of a histogram that has instances. */
struct percentile_bucket {
	uint32_t task;
	uint64_t from_ns; /* at least so long ... */
	uint64_t below_ns; /* ... and shorter than this; UINT64_MAX: no limit */
	uint64_t nr_instances;
};

struct percentiles {
	size_t nr_rows;
	struct percentile_row *rows; /* task by task, NR_PERCENTILES each */
	size_t nr_buckets;
	struct percentile_bucket *buckets; /* task by task, the shortest first */
};

/* Never fails. percentiles_free() frees what is in it. */
struct percentiles percentiles_compute(const struct model *model, const struct task_stats *stats);
void percentiles_free(struct percentiles *percentiles);

/* "p50", "p90", "p99", "p99.9", "max" */
const char *percentile_name(size_t which);

#endif /* ANNOT_PERCENTILES_H */
