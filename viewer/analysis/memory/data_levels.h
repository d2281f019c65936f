/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where sampled loads found their data, by task: how many samples of each level.
 *
 * Where samples are of instructions (AMD's IBS), whose number a sample does not tell, misses follow by ratio: of n samples k are
 * of loads that missed, so i instructions, which were counted, have i * k / n misses. Neither the sampling period nor what the
 * kernel did not deliver is in it. The truth is within the error in 95 of 100 cases, by Poisson's distribution of k. If only what
 * missed the last level was sampled, n is not known, and no count is made.
 */
#ifndef ANNOT_DATA_LEVELS_H
#define ANNOT_DATA_LEVELS_H

#include "analysis/tasks/task_stats.h"
#include "analysis/memory/data_level.h"

struct data_levels_figure {
	bool is_known;
	double count;
	double error;
};

struct data_levels_row {
	size_t event;
	uint32_t task; /* NO_TASK: all threads together */
	uint64_t nr_samples;
	uint64_t nr_loads; /* of which the level is told */
	uint64_t nr[NR_DATA_LEVELS]; /* of these, by level */
	struct data_levels_figure l1_misses; /* of loads */
	struct data_levels_figure memory_loads;
};

struct data_levels {
	size_t nr;
	struct data_levels_row
		*rows; /* by event; all threads first, then tasks, those with most loads first */
};

/* Never fails. No rows: no sample tells its level. data_levels_free() frees what is in it. Cost: O(samples * open spans). */
struct data_levels data_levels_compute(const struct model *model, const struct task_stats *stats);
void data_levels_free(struct data_levels *levels);

#endif /* ANNOT_DATA_LEVELS_H */
