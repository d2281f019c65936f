// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/whole_spans.h"

#include <stdlib.h>

#include "util/xalloc.h"

static bool is_whole(const struct span_table *spans, size_t span)
{
	return !(spans->flags[span] & SPAN_OPEN_END);
}

static uint32_t task_of(const struct task_stats *stats, const struct span_table *spans, size_t span)
{
	return task_stats_find(stats, spans->name[span], (enum trace_span_kind)spans->kind[span]);
}

static void count_spans(const struct model *model, const struct task_stats *stats, size_t *first)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct span_table *spans = &model->threads[i].spans;

		for (size_t j = 0; model->threads[i].in_session && j < spans->nr; j++) {
			if (is_whole(spans, j))
				first[task_of(stats, spans, j) + 2]++;
		}
	}
	for (size_t i = 2; i < stats->nr_tasks + 2; i++)
		first[i] += first[i - 1];
}

static void add_spans(struct whole_spans *whole, const struct model *model,
		      const struct task_stats *stats, uint32_t thread)
{
	const struct span_table *spans = &model->threads[thread].spans;

	for (size_t i = 0; i < spans->nr; i++) {
		uint32_t task;

		if (!is_whole(spans, i))
			continue;
		task = task_of(stats, spans, i);
		/* One place further, as each then moves to the end of its rows. */
		whole->rows[whole->first[task + 1]++] = (struct instance){
			.task = task,
			.thread = thread,
			.from_ns = spans->start_ns[i],
			.to_ns = spans->end_ns[i],
		};
	}
}

struct whole_spans whole_spans_collect(const struct model *model, const struct task_stats *stats)
{
	size_t nr_tasks = stats->nr_tasks;
	struct whole_spans whole = { .first = xcalloc(nr_tasks + 2, sizeof(*whole.first)) };

	count_spans(model, stats, whole.first);
	whole.rows = xcalloc(whole.first[nr_tasks + 1], sizeof(*whole.rows));
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			add_spans(&whole, model, stats, i);
	}
	return whole;
}

void whole_spans_free(struct whole_spans *spans)
{
	free(spans->first);
	free(spans->rows);
	*spans = (struct whole_spans){ 0 };
}
