// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/instances.h"

#include <stdlib.h>

#include "analysis/tasks/span_walk.h"
#include "util/spill/spill.h"

struct collecting {
	const struct model *model;
	const struct span_walk *walk;
	enum trace_span_kind kind;
	size_t nr;
	size_t capacity;
	struct instance *instances;
};

static void take_span(void *context, const struct open_span *open)
{
	struct collecting *collecting = context;
	uint32_t thread = collecting->walk->thread;
	const struct span_table *spans = &collecting->model->threads[thread].spans;

	if (!open->is_outermost || spans->kind[open->span] != collecting->kind ||
	    spans->flags[open->span] & SPAN_OPEN_END)
		return;
	SPILL_MAKE_ROOM(collecting->instances, collecting->nr, collecting->capacity);
	collecting->instances[collecting->nr++] = (struct instance){
		.task = open->task,
		.thread = thread,
		.from_ns = spans->start_ns[open->span],
		.to_ns = spans->end_ns[open->span],
	};
}

static int compare_instances(const void *a, const void *b)
{
	const struct instance *first = a, *second = b;
	uint64_t first_ns = instance_wall_ns(first), second_ns = instance_wall_ns(second);

	if (first->task != second->task)
		return first->task < second->task ? -1 : 1;
	if (first_ns != second_ns)
		return first_ns < second_ns ? -1 : 1;
	if (first->from_ns != second->from_ns)
		return first->from_ns < second->from_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

struct instance *instances_collect(const struct model *model, const struct task_stats *stats,
				   enum trace_span_kind kind, size_t *nr)
{
	struct span_walk walk;
	struct collecting collecting = { .model = model, .walk = &walk, .kind = kind };

	span_walk_init(&walk, model, stats);
	walk.on_end = take_span;
	walk.context = &collecting;
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		if (!model->threads[thread].in_session)
			continue;
		span_walk_start(&walk, thread);
		span_walk_to(&walk, UINT64_MAX);
	}
	span_walk_free(&walk);
	if (collecting.nr)
		qsort(collecting.instances, collecting.nr, sizeof(*collecting.instances),
		      compare_instances);
	*nr = collecting.nr;
	return collecting.instances;
}
