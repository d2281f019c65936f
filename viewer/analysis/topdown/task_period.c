// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/task_period.h"

struct task_period task_period_of(const struct model *model, const struct task *task,
				  uint32_t thread)
{
	const struct span_table *spans = &model->threads[thread].spans;
	struct task_period period = { .from_ns = UINT64_MAX };

	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->name[i] != task->name || spans->kind[i] != task->kind)
			continue;
		if (spans->start_ns[i] < period.from_ns)
			period.from_ns = spans->start_ns[i];
		if (spans->end_ns[i] > period.to_ns)
			period.to_ns = spans->end_ns[i];
	}
	return period;
}
