/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The longest instance of a task, as evidence.
 */
#ifndef ANNOT_MCP_LONGEST_SPAN_H
#define ANNOT_MCP_LONGEST_SPAN_H

#include "analysis/tasks/task_stats.h"

struct longest_span {
	uint32_t thread;
	uint64_t from_ns;
	uint64_t to_ns;
};

/* False: it has none. Cost: all spans. */
bool longest_span_find(const struct model *model, const struct task *task,
		       struct longest_span *longest);

#endif /* ANNOT_MCP_LONGEST_SPAN_H */
