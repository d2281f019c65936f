/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which slices, with their counts, are of which thread and of which task.
 */
#ifndef ANNOT_TASK_SLICES_H
#define ANNOT_TASK_SLICES_H

#include "analysis/tasks/task_stats.h"
#include "analysis/topdown/metric_slices.h"

struct task_slices {
	size_t nr_tasks;
	size_t nr_threads;
	struct metric_slices *tasks; /* of the statistics */
	struct metric_slices *threads; /* of the model */
};

struct task_slices task_slices_compute(const struct model *model, const struct task_stats *stats);
void task_slices_free(struct task_slices *slices);

#endif /* ANNOT_TASK_SLICES_H */
