/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether tasks are long enough to be worth handing out. Tasks are the spans of work whose names begin with the word
 * task, as attached OpenMP programs have them (annot-attach(1)).
 *
 * - self time: a task's time without the tasks and waits inside it. The time that it takes to create other tasks is in it.
 * - gap: from a task's end to the begin of the next one of the same thread in the same span: what the runtime takes
 *   to find and begin a task, if there is one. The median leaves out the times without a task to execute, unless
 *   they are more than half of all. A gap before which the thread did other work does not count.
 *
 * Cost: O(n log n) of n spans.
 */
#ifndef ANNOT_TASK_GRANULARITY_H
#define ANNOT_TASK_GRANULARITY_H

#include "analysis/base/findings.h"

struct task_granularity_task {
	uint32_t name; /* string id */
	uint64_t tasks;
	uint64_t threads; /* that executed one */
	uint64_t self_ns; /* sum */
	uint64_t median_ns; /* of self time */
	uint64_t gaps;
	uint64_t gap_ns; /* the median; without meaning if there are no gaps */
	uint32_t most_thread; /* that executed most, and from its first to its last */
	uint64_t most_tasks;
	uint64_t from_ns;
	uint64_t to_ns;
};

struct task_granularity {
	size_t nr;
	struct task_granularity_task *tasks; /* the most tasks first */
};

/* Never fails. task_granularity_free() frees what is in it. */
struct task_granularity task_granularity_compute(const struct model *model);
void task_granularity_free(struct task_granularity *granularity);

/* The share of the gap in the median task and its gap, from 0 to 1. */
double task_granularity_gap_share(const struct task_granularity_task *task);

/*
 * Adds a finding for each name with at least TASK_GRANULARITY_LEAST_TASKS tasks and as many gaps, of which the gap's share is
 * TASK_GRANULARITY_LEAST_SHARE or more. Time lost is at most, by an estimate, the median gap for each task of the thread
 * that executed most.
 */
#define TASK_GRANULARITY_LEAST_TASKS 100
#define TASK_GRANULARITY_LEAST_SHARE 0.2
void task_granularity_add_findings(const struct model *model,
				   const struct task_granularity *granularity,
				   struct findings *findings);

#endif /* ANNOT_TASK_GRANULARITY_H */
