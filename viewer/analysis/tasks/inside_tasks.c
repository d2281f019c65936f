// SPDX-License-Identifier: GPL-2.0
#include "analysis/tasks/inside_tasks.h"

#include <stdlib.h>

#include "util/xalloc.h"

/* An outermost span of a task was open from its start to @end_ns: how much of that in the interval? */
static void add_inside(struct inside_tasks *inside, const struct open_span *span, uint64_t end_ns)
{
	const struct span_table *spans = &inside->walk.model->threads[inside->walk.thread].spans;
	uint64_t start_ns = spans->start_ns[span->span];

	if (!span->is_outermost)
		return;
	if (start_ns < inside->from_ns)
		start_ns = inside->from_ns;
	if (end_ns > inside->to_ns)
		end_ns = inside->to_ns;
	if (end_ns <= start_ns)
		return;
	if (!inside->ns[span->task])
		inside->touched[inside->nr_touched++] = span->task;
	inside->ns[span->task] += end_ns - start_ns;
}

static void on_end(void *context, const struct open_span *span)
{
	struct inside_tasks *inside = context;
	const struct span_table *spans = &inside->walk.model->threads[inside->walk.thread].spans;

	add_inside(inside, span, spans->end_ns[span->span]);
}

void inside_tasks_init(struct inside_tasks *inside, const struct model *model,
		       const struct task_stats *stats)
{
	*inside = (struct inside_tasks){ 0 };
	span_walk_init(&inside->walk, model, stats);
	inside->walk.on_end = on_end;
	inside->walk.context = inside;
	inside->ns = xcalloc(stats->nr_tasks, sizeof(*inside->ns));
	inside->touched = xcalloc(stats->nr_tasks, sizeof(*inside->touched));
}

void inside_tasks_free(struct inside_tasks *inside)
{
	span_walk_free(&inside->walk);
	free(inside->ns);
	free(inside->touched);
}

void inside_tasks_start(struct inside_tasks *inside, uint32_t thread)
{
	inside->from_ns = inside->to_ns = 0;
	span_walk_start(&inside->walk, thread);
}

void inside_tasks_find(struct inside_tasks *inside, uint64_t from_ns, uint64_t to_ns)
{
	inside->from_ns = from_ns;
	inside->to_ns = to_ns;
	span_walk_to(&inside->walk, to_ns);
	for (size_t i = 0; i < inside->walk.nr_open; i++)
		add_inside(inside, &inside->walk.open[i], to_ns);
}

void inside_tasks_forget(struct inside_tasks *inside)
{
	while (inside->nr_touched)
		inside->ns[inside->touched[--inside->nr_touched]] = 0;
}
