/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that a thread begins in equal steps of time, and how far from these its instances begin and end: their jitter.
 *
 * Of a task and a thread with PERIODIC_LEAST_INSTANCES or more instances that begin and end in the trace. Where the time from one
 * begin to the next is two of the usual ones (the median) or more, rounded, begins are missing. The period is the step of the grid
 * that fits all begins best, by least squares; begins are held against that grid, and ends against one with the same step, each
 * grid moved so that half of them are late. A task is periodic if
 * - half of the begins are not farther from the grid than PERIODIC_MOST_JITTER of the period: what begins at any time is, and who
 *   sleeps for some time after its work, instead of until some time, drifts away from it;
 * - it rests for PERIODIC_LEAST_REST of the period or longer, half of the times.
 */
#ifndef ANNOT_PERIODIC_TASKS_H
#define ANNOT_PERIODIC_TASKS_H

#include "analysis/tasks/task_stats.h"

#define PERIODIC_LEAST_INSTANCES 30
#define PERIODIC_MOST_JITTER 0.1
#define PERIODIC_LEAST_REST 0.01

/* How far from the grid, to either side. */
struct periodic_jitter {
	uint64_t median_ns;
	uint64_t p99_ns; /* by nearest rank */
	uint64_t max_ns;
};

struct periodic_task {
	uint32_t task; /* of the task_stats */
	uint32_t thread;
	uint64_t nr_instances;
	uint64_t nr_missing; /* steps in which it should have begun, and did not */
	double period_ns;
	struct periodic_jitter begins;
	struct periodic_jitter ends;
	uint64_t worst_from_ns; /* the instance whose begin is farthest off */
	uint64_t worst_to_ns;
};

struct periodic_tasks {
	size_t nr;
	struct periodic_task *rows; /* the greatest jitter of begins first */
};

/* Never fails. periodic_tasks_free() frees what is in it. Cost: O(n log n) of n spans. */
struct periodic_tasks periodic_tasks_compute(const struct model *model,
					     const struct task_stats *stats);
void periodic_tasks_free(struct periodic_tasks *tasks);

#endif /* ANNOT_PERIODIC_TASKS_H */
