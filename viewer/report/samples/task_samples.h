/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which samples are of a task: in all its threads, and of what is inside it.
 */
#ifndef ANNOT_TASK_SAMPLES_H
#define ANNOT_TASK_SAMPLES_H

#include "analysis/tasks/task_stats.h"

struct task_samples {
	size_t nr;
	size_t capacity;
	size_t *rows; /* by thread, in time order */
};

/* @task: of @stats; NO_TASK: the session. free() the rows. Cost: one pass over the samples. */
struct task_samples task_samples_of(const struct model *model, const struct task_stats *stats,
				    uint32_t task);

#endif /* ANNOT_TASK_SAMPLES_H */
