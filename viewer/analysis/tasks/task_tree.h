/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The nested annotations of the session's threads as a call-context tree: spans of one name and kind
 * inside spans of one path are one node, whichever thread they are of.
 *
 * Inclusive is what happened in a node's spans, exclusive what did outside the spans in them. A task
 * inside itself is a node of its own below, so that nothing is counted twice on a path. What was
 * measured is estimated from samples, as the sum of their periods; or is what slices counted, shared
 * by time where a slice is not in a span as a whole (events.h).
 */
#ifndef ANNOT_TASK_TREE_H
#define ANNOT_TASK_TREE_H

#include "analysis/tasks/task_events.h"
#include "model/model.h"

#define TASK_TREE_ROOT UINT32_MAX /* the parent of those that are in no other */
#define TASK_TREE_THRESHOLD_PCT 1.0

struct task_tree_node {
	uint32_t name; /* string id */
	enum trace_span_kind kind;
	uint32_t parent; /* a node before this one, or TASK_TREE_ROOT */
	uint32_t depth;
	uint64_t instances;
	uint64_t inclusive_ns; /* of wall time, as exclusive_ns is */
	uint64_t exclusive_ns;
	uint64_t on_cpu_ns;
	uint64_t exclusive_on_cpu_ns;
	uint64_t preempted_ns;
	uint32_t nr_threads;
	uint32_t last_thread; /* that ran it */
};

struct task_tree {
	size_t nr;
	struct task_tree_node *nodes; /* by first appearance */
	size_t nr_events;
	/* Inclusive, without errors: of node i, those of the model's events from i * nr_events on. */
	struct event_figures *events;
	struct turn_sums *turns; /* theirs */
	uint64_t wall_ns; /* of all spans that are in no other, added up */
	uint64_t on_cpu_ns;
};

/* Never fails. task_tree_free() frees it. Cost: O(n log n) over spans and samples. */
struct task_tree *task_tree_compute(const struct model *model);
void task_tree_free(struct task_tree *tree);

/* What it takes of all wall or on-CPU time, whichever is more, in percent: no more than its parent. */
double task_tree_node_share_pct(const struct task_tree *tree, const struct task_tree_node *node);

/*
 * The nodes that take @threshold_pct or more, @most at most, parents before their children and these
 * with most time on a CPU first: returns how many, and them in @order, for which free() it.
 */
size_t task_tree_order(const struct task_tree *tree, double threshold_pct, size_t most,
		       uint32_t **order);

#endif /* ANNOT_TASK_TREE_H */
