// SPDX-License-Identifier: GPL-2.0
/*
 * What was measured, by node of the task tree. (The tree's other figures: task_tree.c.)
 */
#include <stdlib.h>

#include "analysis/base/by_thread.h"
#include "analysis/events/event_turns.h"
#include "analysis/tasks/span_walk.h"
#include "analysis/tasks/task_tree_events.h"
#include "util/xalloc.h"

/* A slice with counts, while the spans that were open in it are gone through. */
struct slice {
	const struct node_spans *nodes;
	struct task_tree *tree;
	const struct model *model;
	struct span_walk walk;
	size_t row;
	uint64_t at_ns; /* how long the thread's slices before lasted, in sum */
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t *inside_ns; /* by node: how much of it lay inside */
	uint32_t *touched; /* nodes of which that is not 0 */
	size_t nr_touched;
};

static uint32_t node_of(const struct node_spans *nodes, uint32_t thread, size_t span)
{
	return nodes->node_of_span[nodes->first_span[thread] + span];
}

/* Each sample is of the node of the innermost span, and of those around it. */
static void add_samples(struct task_tree *tree, const struct model *model,
			const struct node_spans *nodes)
{
	const struct sample_table *samples = &model->samples;
	size_t *spans = span_walk_innermost(model);

	for (size_t i = 0; i < samples->nr; i++) {
		uint32_t thread = samples->thread[i];
		uint32_t node;

		if (spans[i] == SIZE_MAX || !model->threads[thread].in_session)
			continue;
		node = node_of(nodes, thread, spans[i]);
		event_add_sample(&tree->events[node * tree->nr_events + samples->event[i]],
				 samples->period[i]);
	}
	free(spans);
}

/* Children stand behind their parents: from the last on, each is complete when it is added. */
static void add_to_parents(struct task_tree *tree)
{
	for (size_t i = tree->nr; i-- > 0;) {
		uint32_t parent = tree->nodes[i].parent;

		for (size_t event = 0; event < tree->nr_events && parent != TASK_TREE_ROOT;
		     event++) {
			const struct event_figures *own =
				&tree->events[i * tree->nr_events + event];
			struct event_figures *sum = &tree->events[parent * tree->nr_events + event];

			sum->nr_samples += own->nr_samples;
			sum->count += own->count;
			sum->variance += own->variance;
		}
	}
}

/* @span was open until @end_ns, or the end of the slice. */
static void add_inside(struct slice *slice, size_t span, uint64_t end_ns)
{
	const struct span_table *spans = &slice->model->threads[slice->walk.thread].spans;
	uint32_t node = node_of(slice->nodes, slice->walk.thread, span);
	uint64_t from_ns = spans->start_ns[span];

	from_ns = from_ns < slice->from_ns ? slice->from_ns : from_ns;
	end_ns = end_ns > slice->to_ns ? slice->to_ns : end_ns;
	if (end_ns <= from_ns)
		return;
	if (!slice->inside_ns[node])
		slice->touched[slice->nr_touched++] = node;
	slice->inside_ns[node] += end_ns - from_ns;
}

static void on_end(void *context, const struct open_span *open)
{
	struct slice *slice = context;
	const struct span_table *spans = &slice->model->threads[slice->walk.thread].spans;

	add_inside(slice, open->span, spans->end_ns[open->span]);
}

/* A slice's counts are those of each node that was open in it, by its share of the time. */
static void share_slice(struct slice *slice)
{
	for (size_t open = 0; open < slice->walk.nr_open; open++)
		add_inside(slice, slice->walk.open[open].span, slice->to_ns);
	while (slice->nr_touched) {
		uint32_t node = slice->touched[--slice->nr_touched];
		struct event_figures *figures = &slice->tree->events[node * slice->tree->nr_events];
		struct slice_part part = {
			.row = slice->row,
			.share = (double)slice->inside_ns[node] /
				 (double)(slice->to_ns - slice->from_ns),
			.at_ns = slice->at_ns,
		};

		slice->inside_ns[node] = 0;
		for (size_t event = 0; event < slice->tree->nr_events; event++) {
			if (slice->model->pmu_events[event].is_counted)
				event_add_count(slice->model, event, part, &figures[event]);
		}
	}
}

static void add_counts_of_thread(struct slice *slice, const struct by_thread *by, uint32_t thread)
{
	const struct slice_count_table *counts = &slice->model->slice_counts;

	span_walk_start(&slice->walk, thread);
	slice->at_ns = 0;
	for (size_t i = by->first[thread]; i < by->first[thread + 1]; i++) {
		slice->row = by->rows[i];
		slice->from_ns = counts->start_ns[slice->row];
		slice->to_ns = counts->end_ns[slice->row];
		span_walk_to(&slice->walk, slice->to_ns);
		share_slice(slice);
		slice->at_ns += slice->to_ns - slice->from_ns;
	}
}

static void add_counts(struct task_tree *tree, const struct model *model,
		       const struct node_spans *nodes)
{
	const struct slice_count_table *counts = &model->slice_counts;
	struct by_thread by = by_thread_group(model, counts->thread, counts->nr);
	struct slice slice = { .nodes = nodes, .tree = tree, .model = model };

	slice.inside_ns = xcalloc(tree->nr, sizeof(*slice.inside_ns));
	slice.touched = xcalloc(tree->nr, sizeof(*slice.touched));
	span_walk_init(&slice.walk, model, NULL);
	slice.walk.on_end = on_end;
	slice.walk.context = &slice;
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		if (model->threads[thread].in_session)
			add_counts_of_thread(&slice, &by, thread);
	}
	span_walk_free(&slice.walk);
	by_thread_free(&by);
	free(slice.inside_ns);
	free(slice.touched);
}

/* Slices that counted nothing are not in the trace: they are counted as well as others, if any were. */
static void settle_counts(struct task_tree *tree, const struct model *model)
{
	for (size_t i = 0; i < tree->nr * tree->nr_events; i++) {
		const struct pmu_event *event = &model->pmu_events[i % tree->nr_events];
		struct event_figures *figures = &tree->events[i];

		event_turns_settle(figures);
		figures->on_cpu_ns = tree->nodes[i / tree->nr_events].on_cpu_ns;
		if (event->error || event->is_merged)
			figures->measured = false;
		else if (figures->turns)
			continue;
		else if (!event->is_counted)
			figures->measured = true;
		else if (!figures->nr_incomplete && model->slice_counts.nr && figures->on_cpu_ns)
			figures->measured = true;
	}
}

void task_tree_events_add(struct task_tree *tree, const struct model *model,
			  const struct node_spans *nodes)
{
	tree->nr_events = model->nr_pmu_events;
	tree->events = xcalloc(tree->nr * tree->nr_events, sizeof(*tree->events));
	if (!tree->nr_events)
		return;
	tree->turns = event_turns_hand_out(model, tree->events, tree->nr);
	add_samples(tree, model, nodes);
	add_to_parents(tree);
	add_counts(tree, model, nodes);
	settle_counts(tree, model);
}
