// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/longest_span.h"

bool longest_span_find(const struct model *model, const struct task *task,
		       struct longest_span *longest)
{
	bool is_found = false;

	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct span_table *spans = &model->threads[i].spans;

		for (size_t row = 0; row < spans->nr; row++) {
			uint64_t length_ns = spans->end_ns[row] - spans->start_ns[row];

			if (spans->name[row] != task->name || spans->kind[row] != task->kind)
				continue;
			if (is_found && length_ns <= longest->to_ns - longest->from_ns)
				continue;
			*longest = (struct longest_span){ (uint32_t)i, spans->start_ns[row],
							  spans->end_ns[row] };
			is_found = true;
		}
	}
	return is_found;
}
