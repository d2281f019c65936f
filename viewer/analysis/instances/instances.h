/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The instances of tasks.
 */
#ifndef ANNOT_INSTANCES_H
#define ANNOT_INSTANCES_H

#include "analysis/tasks/task_stats.h"

/* An instance that begins and ends in the trace, and is not inside another of its task. */
struct instance {
	uint32_t task;
	uint32_t thread;
	uint64_t from_ns;
	uint64_t to_ns;
};

static inline uint64_t instance_wall_ns(const struct instance *instance)
{
	return instance->to_ns - instance->from_ns;
}

/* Of all tasks of that kind of the session, @nr: task by task, each task's by length. spill_free() them. */
struct instance *instances_collect(const struct model *model, const struct task_stats *stats,
				   enum trace_span_kind kind, size_t *nr);

#endif /* ANNOT_INSTANCES_H */
