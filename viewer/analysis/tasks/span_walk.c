// SPDX-License-Identifier: GPL-2.0
#include "analysis/tasks/span_walk.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/by_thread.h"
#include "util/xalloc.h"

bool span_walk_is_inside(const struct span_table *spans, size_t span, size_t outer)
{
	if (spans->depth[outer] < UINT8_MAX)
		return spans->depth[span] > spans->depth[outer];
	/* Depths are counted no further: only times tell. */
	return spans->depth[span] == UINT8_MAX && spans->end_ns[span] <= spans->end_ns[outer];
}

void span_walk_init(struct span_walk *walk, const struct model *model,
		    const struct task_stats *stats)
{
	*walk = (struct span_walk){ .model = model, .stats = stats };
	if (stats)
		walk->depth = xcalloc(stats->nr_tasks, sizeof(*walk->depth));
}

void span_walk_free(struct span_walk *walk)
{
	free(walk->open);
	free(walk->depth);
}

static struct open_span make_open(struct span_walk *walk, const struct span_table *spans,
				  size_t span)
{
	struct open_span open = { .span = span, .task = NO_TASK };

	if (walk->stats) {
		open.task = task_stats_find(walk->stats, spans->name[span], spans->kind[span]);
		open.is_outermost = !walk->depth[open.task]++;
	}
	return open;
}

static void begin_span(struct span_walk *walk, const struct span_table *spans)
{
	ARRAY_MAKE_ROOM(walk->open, walk->nr_open, walk->capacity);
	walk->open[walk->nr_open++] = make_open(walk, spans, walk->next++);
}

static const struct open_span *pop_span(struct span_walk *walk)
{
	const struct open_span *span = &walk->open[--walk->nr_open];

	if (walk->stats)
		walk->depth[span->task]--;
	return span;
}

static void end_span(struct span_walk *walk)
{
	const struct open_span *span = pop_span(walk);

	if (walk->on_end)
		walk->on_end(walk->context, span);
}

void span_walk_start(struct span_walk *walk, uint32_t thread)
{
	while (walk->nr_open)
		pop_span(walk);
	walk->thread = thread;
	walk->next = 0;
}

void span_walk_to(struct span_walk *walk, uint64_t time_ns)
{
	const struct span_table *spans = &walk->model->threads[walk->thread].spans;

	for (;;) {
		bool has_next = walk->next < spans->nr;
		bool is_inside = has_next;

		if (walk->nr_open && has_next)
			is_inside = span_walk_is_inside(spans, walk->next,
							walk->open[walk->nr_open - 1].span);
		if (is_inside && spans->start_ns[walk->next] <= time_ns)
			begin_span(walk, spans);
		else if (!is_inside && walk->nr_open &&
			 spans->end_ns[walk->open[walk->nr_open - 1].span] <= time_ns)
			end_span(walk);
		else
			return;
	}
}

size_t *span_walk_innermost(const struct model *model)
{
	const struct sample_table *samples = &model->samples;
	struct by_thread by = by_thread_group(model, samples->thread, samples->nr);
	size_t *spans = xcalloc(samples->nr, sizeof(*spans));
	struct span_walk walk;

	memset(spans, 0xff, samples->nr * sizeof(*spans)); /* SIZE_MAX */
	span_walk_init(&walk, model, NULL);
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		span_walk_start(&walk, thread);
		for (size_t i = by.first[thread]; i < by.first[thread + 1]; i++) {
			span_walk_to(&walk, samples->time_ns[by.rows[i]]);
			if (walk.nr_open)
				spans[by.rows[i]] = walk.open[walk.nr_open - 1].span;
		}
	}
	span_walk_free(&walk);
	by_thread_free(&by);
	return spans;
}
