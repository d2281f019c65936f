/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a miss costs: by the latency of loads that this trace has sampled, else by constants (miss_level.h).
 *
 * By samples it is the mean latency of 30 or more loads of the same kind: those that found their data beyond that level, or
 * modified in another CPU's cache. The truth is within the error in 95 of 100 cases, by Student's distribution, if samples are
 * independent. What a load costs that hits L1 is subtracted: of Intel's load latency, the mean of 30 or more such samples if its
 * threshold cuts none of them off, else nothing (is_above_l1 is false); AMD's IBS counts from the miss on.
 *
 * Only samples count whose event leaves out none of that kind: an event of L2 misses tells nothing of what L2 holds, and load
 * latency with a threshold of 30 cycles tells of slow loads from L2 only. So its threshold may be the constant of that kind at most.
 * Of several events, the one with most samples is taken.
 *
 * Sampled cycles become time by those that were counted, in user code and the kernel, else at 3 GHz. Misses that a core waits for at the
 * same time cost less than each by itself: what follows from either is an estimate.
 */
#ifndef ANNOT_MISS_COSTS_H
#define ANNOT_MISS_COSTS_H

#include "analysis/base/findings.h"
#include "analysis/events/miss_level.h"
#include "analysis/tasks/task_stats.h"

#define MISS_COSTS_LEAST_SAMPLES 30

struct miss_cost {
	double cycles;
	double ns;
	bool is_sampled; /* else it is a constant, and the rest is 0 */
	size_t event;
	uint64_t nr_samples;
	double error_cycles;
	bool is_above_l1; /* what an L1 hit costs is not in it */
};

#define MISS_COST_OF_TAKEN_LINE NR_MISS_LEVELS /* that another core has written to */
#define NR_MISS_COSTS (NR_MISS_LEVELS + 1)

struct miss_costs {
	bool is_clock_counted; /* else ghz is assumed */
	double ghz; /* of those that were sampled; a constant's is 3 */
	struct miss_cost of[NR_MISS_COSTS]; /* by enum miss_level, and MISS_COST_OF_TAKEN_LINE */
};

/* @levels: of each of the model's events. Cost: O(samples). */
struct miss_costs miss_costs_compute(const struct model *model, const struct task_stats *stats,
				     const enum miss_level *levels);

/* Of each of the model's events, what a miss costs in ns; 0: it is no miss. free() them. */
double *miss_costs_by_event(const struct model *model, const struct task_stats *stats);

/* All by constants. */
struct miss_costs miss_costs_assumed(void);

/* "TLB", "L1", "L2", "L3", "taken line" */
const char *miss_cost_name(size_t which);

/* "samples" or "assumed" */
const char *miss_cost_source(const struct miss_cost *cost);

/* What sentences say of a cost that was sampled, from "; " on; "" of a constant. */
struct miss_cost_words {
	char text[128];
};

struct miss_cost_words miss_cost_words(const struct miss_cost *cost);

/* That the time lost is by a constant becomes a caveat of the finding. */
void miss_cost_add_caveat(const struct miss_cost *cost, struct finding *finding);

#endif /* ANNOT_MISS_COSTS_H */
