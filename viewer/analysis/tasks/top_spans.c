// SPDX-License-Identifier: GPL-2.0
#include "analysis/tasks/top_spans.h"

#include <stdlib.h>

#include "analysis/tasks/span_walk.h"
#include "analysis/base/row_search.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

struct search {
	const struct model *model;
	const struct task_stats *stats;
	bool *holds_tasks; /* by task: in it, there are tasks of several threads */
	struct top_spans *found;
};

static uint32_t task_of(const struct search *search, const struct span_table *spans, size_t span)
{
	return task_stats_find(search->stats, spans->name[span], spans->kind[span]);
}

/* Tells each span's task of what is begun directly in it. */
static void look_inside(struct search *search, const struct span_table *spans)
{
	size_t nr_open = 0, capacity = 0, *open = NULL;

	for (size_t span = 0; span < spans->nr; span++) {
		uint32_t task = task_of(search, spans, span);

		while (nr_open && !span_walk_is_inside(spans, span, open[nr_open - 1]))
			nr_open--;
		if (nr_open && spans->kind[span] == TRACE_SPAN_WORK &&
		    search->stats->tasks[task].nr_threads > 1)
			search->holds_tasks[task_of(search, spans, open[nr_open - 1])] = true;
		ARRAY_MAKE_ROOM(open, nr_open, capacity);
		open[nr_open++] = span;
	}
	free(open);
}

static bool is_wrapper(const struct search *search, uint32_t at)
{
	const struct task *task = &search->stats->tasks[at];

	return task->instances <= task->nr_threads && search->holds_tasks[at];
}

static void take_thread(struct search *search, uint32_t thread)
{
	const struct span_table *spans = &search->model->threads[thread].spans;
	struct top_spans *found = search->found;
	uint64_t until_ns = 0;

	for (size_t span = 0; span < spans->nr; span++) {
		if (spans->start_ns[span] < until_ns ||
		    is_wrapper(search, task_of(search, spans, span)))
			continue;
		until_ns = spans->end_ns[span];
		if (spans->kind[span] != TRACE_SPAN_WORK)
			continue;
		found->name[found->nr] = spans->name[span];
		found->start_ns[found->nr] = spans->start_ns[span];
		found->end_ns[found->nr++] = spans->end_ns[span];
	}
}

static size_t count_spans(const struct model *model)
{
	size_t nr = 0;

	for (size_t i = 0; i < model->nr_threads; i++)
		nr += model->threads[i].in_session ? model->threads[i].spans.nr : 0;
	return nr;
}

struct top_spans top_spans_compute(const struct model *model, const struct task_stats *stats)
{
	size_t most = count_spans(model);
	struct top_spans tops = {
		.first = xcalloc(model->nr_threads + 1, sizeof(*tops.first)),
		.name = spill_zeroed(most, sizeof(*tops.name)),
		.start_ns = spill_zeroed(most, sizeof(*tops.start_ns)),
		.end_ns = spill_zeroed(most, sizeof(*tops.end_ns)),
	};
	struct search search = {
		.model = model,
		.stats = stats,
		.holds_tasks = xcalloc(stats->nr_tasks, sizeof(*search.holds_tasks)),
		.found = &tops,
	};

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		if (model->threads[thread].in_session)
			look_inside(&search, &model->threads[thread].spans);
	}
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		if (model->threads[thread].in_session)
			take_thread(&search, thread);
		tops.first[thread + 1] = tops.nr;
	}
	free(search.holds_tasks);
	return tops;
}

void top_spans_free(struct top_spans *tops)
{
	free(tops->first);
	spill_free(tops->name);
	spill_free(tops->start_ns);
	spill_free(tops->end_ns);
	*tops = (struct top_spans){ 0 };
}

size_t top_spans_after(const struct top_spans *tops, uint32_t thread, uint64_t time_ns)
{
	size_t first = tops->first[thread];

	return first +
	       row_search_after(tops->end_ns + first, tops->first[thread + 1] - first, time_ns);
}
