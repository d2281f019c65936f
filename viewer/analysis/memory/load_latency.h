/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many cycles sampled loads took, by task: percentiles with their intervals, and a histogram in steps of powers of two.
 *
 * Taken are samples that tell a latency, and that they are of loads. Each belongs to the innermost span that its thread is in.
 * It is not of all loads: Intel's load latency event leaves out those faster than its threshold (struct pmu_event's
 * threshold_cycles), other events those that hit, and AMD's IBS tells the latency of what missed L1 only. So rows are by event, and
 * say what was sampled.
 *
 * A percentile is the least latency than which that share of the samples is not longer. Its interval covers what it would be of
 * endlessly many such samples in 95 of 100 cases or more, if they are independent of each other (quantile_interval.h). Where there
 * are too few, an end of it is not known.
 */
#ifndef ANNOT_LOAD_LATENCY_H
#define ANNOT_LOAD_LATENCY_H

#include "analysis/memory/data_level.h"
#include "analysis/tasks/task_stats.h"

#define LOAD_LATENCY_COVERAGE 0.95

enum latency_percentile_kind {
	LATENCY_P50,
	LATENCY_P90,
	LATENCY_P99,
	NR_LATENCY_PERCENTILES,
};

struct latency_percentile {
	uint64_t cycles;
	bool has_low; /* the interval's ends are known */
	bool has_high;
	uint64_t low_cycles;
	uint64_t high_cycles;
};

struct load_latency_row {
	size_t event;
	uint32_t task; /* NO_TASK: all threads together, outside spans, too */
	uint64_t nr_samples;
	struct latency_percentile percentiles[NR_LATENCY_PERCENTILES];
	bool tells_level; /* some of them tell where their data was ... */
	enum data_level level; /* ... most of these there; the nearest of several */
};

/* A step of a histogram that has samples. */
struct load_latency_bucket {
	size_t event;
	uint32_t task;
	uint64_t from_cycles; /* at least so long ... */
	uint64_t below_cycles; /* ... and shorter than this; UINT64_MAX: no limit */
	uint64_t nr_samples;
};

struct load_latency {
	size_t nr_rows;
	/* By event; all threads first, then tasks, those with most samples first. */
	struct load_latency_row *rows;
	size_t nr_buckets;
	struct load_latency_bucket *buckets; /* row by row, the shortest first */
};

/* Never fails. No rows: no sample tells a latency. load_latency_free() frees what is in it. Cost: sorting the samples. */
struct load_latency load_latency_compute(const struct model *model, const struct task_stats *stats);
void load_latency_free(struct load_latency *latency);

/* What the sample tells, in cycles; 0: it tells none, or not that it is of a load. */
uint64_t load_latency_of_sample(const struct model *model, size_t sample);

#endif /* ANNOT_LOAD_LATENCY_H */
