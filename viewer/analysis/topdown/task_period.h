/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_TASK_PERIOD_H
#define ANNOT_TASK_PERIOD_H

#include "analysis/tasks/task_stats.h"

struct task_period {
	uint64_t from_ns;
	uint64_t to_ns;
};

/* From the first begin of the task in the thread, which ran it, to the last end. */
struct task_period task_period_of(const struct model *model, const struct task *task,
				  uint32_t thread);

#endif /* ANNOT_TASK_PERIOD_H */
