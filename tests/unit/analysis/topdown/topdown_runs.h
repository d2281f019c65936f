/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recordings made by hand for top-down: three tasks, whose slices are counted in one of the ways of topdown_ways.h; and what comes of
 * them.
 */
#ifndef TEST_TOPDOWN_RUNS_H
#define TEST_TOPDOWN_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/topdown/topdown.h"
#include "analysis/topdown/topdown_findings.h"
#include "topdown_ways.h"

/* What is fed. */
struct topdown_run {
	const struct way *way;
	size_t left_out; /* 1 + the event that is refused; 0: none */
	uint64_t nr; /* slices of each task */
	double noise; /* each slice's shares change so much by chance */
	double missing; /* share of slices that were not counted all the time */
	uint32_t missing_counters; /* which counters, then */
	bool has_siblings;
	/* All events take turns on so many counters, of 4 slices each; 0: they do not. */
	uint32_t nr_shared;
	uint64_t hold; /* slices for which a change of the shares lasts; 0: 1 */
};

struct topdown_result {
	struct model *model;
	struct task_stats *stats;
	struct regions *regions;
	struct topdown topdown;
	struct findings findings;
};

#define NR_TOPDOWN_TASKS 3

struct topdown_task {
	const char *task;
	const struct truth *truth;
};

extern const struct topdown_task topdown_tasks[NR_TOPDOWN_TASKS];

/* For a group of tests. */
int topdown_open_strings(void **state);
int topdown_close_strings(void **state);

/* From here on, chance is that of @seed. */
void topdown_run_seed(uint64_t seed);

struct topdown_result topdown_run_compute(const struct topdown_run *run);
void topdown_run_end(struct topdown_result *result);

const struct topdown_row *topdown_row_of(const struct topdown_result *result, const char *task);
void topdown_check(const struct topdown_row *row, enum topdown_figure figure, double truth);
void topdown_check_slots(const struct topdown_row *row, const struct truth *truth);
void topdown_check_memory(const struct topdown_row *row, const struct truth *truth);
void topdown_check_levels(const struct topdown_row *row, const struct truth *truth);
void topdown_check_unknown(const struct topdown_row *row, enum topdown_figure figure);
const struct finding *topdown_finding_of(const struct topdown_result *result,
					 enum finding_kind kind);

#endif /* TEST_TOPDOWN_RUNS_H */
