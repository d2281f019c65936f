/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_TASK_TREE_EVENTS_H
#define ANNOT_TASK_TREE_EVENTS_H

#include "analysis/tasks/task_tree.h"

/* Which node each span is of: span i of thread t that of node_of_span[first_span[t] + i]. */
struct node_spans {
	const size_t *first_span;
	const uint32_t *node_of_span;
};

/* Sets tree->events, once all else of @tree is there. */
void task_tree_events_add(struct task_tree *tree, const struct model *model,
			  const struct node_spans *nodes);

#endif /* ANNOT_TASK_TREE_EVENTS_H */
