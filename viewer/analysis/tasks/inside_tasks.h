/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much of an interval of a thread lies inside each task.
 */
#ifndef ANNOT_INSIDE_TASKS_H
#define ANNOT_INSIDE_TASKS_H

#include "analysis/tasks/span_walk.h"

struct inside_tasks {
	struct span_walk walk;
	/* Of the interval at hand. */
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t *ns; /* by task */
	uint32_t *touched; /* tasks of which that is not 0 */
	size_t nr_touched;
};

/* @inside stays where it is until inside_tasks_free(). */
void inside_tasks_init(struct inside_tasks *inside, const struct model *model,
		       const struct task_stats *stats);
void inside_tasks_free(struct inside_tasks *inside);

/* Begins with another thread. */
void inside_tasks_start(struct inside_tasks *inside, uint32_t thread);

/* Of [from_ns, to_ns), which begins no earlier than the one before ends. It is kept until it is forgotten. */
void inside_tasks_find(struct inside_tasks *inside, uint64_t from_ns, uint64_t to_ns);
void inside_tasks_forget(struct inside_tasks *inside);

#endif /* ANNOT_INSIDE_TASKS_H */
