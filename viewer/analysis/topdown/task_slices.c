// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/task_slices.h"

#include <stdlib.h>

#include "analysis/base/by_thread.h"
#include "analysis/tasks/inside_tasks.h"
#include "util/xalloc.h"

static void add_to_tasks(const struct inside_tasks *inside, size_t row, uint64_t ns,
			 struct metric_slices *tasks)
{
	for (size_t i = 0; i < inside->nr_touched; i++) {
		uint32_t task = inside->touched[i];

		metric_slices_add(&tasks[task], row, ns, inside->ns[task]);
	}
}

static void add_slices(struct task_slices *slices, struct inside_tasks *inside,
		       const struct by_thread *by, uint32_t thread)
{
	const struct slice_count_table *counts = &inside->walk.model->slice_counts;

	inside_tasks_start(inside, thread);
	for (size_t i = by->first[thread]; i < by->first[thread + 1]; i++) {
		size_t row = by->rows[i];
		uint64_t ns = counts->end_ns[row] - counts->start_ns[row];

		if (counts->end_ns[row] <= counts->start_ns[row])
			continue;
		metric_slices_add(&slices->threads[thread], row, ns, ns);
		inside_tasks_find(inside, counts->start_ns[row], counts->end_ns[row]);
		add_to_tasks(inside, row, ns, slices->tasks);
		inside_tasks_forget(inside);
	}
}

struct task_slices task_slices_compute(const struct model *model, const struct task_stats *stats)
{
	struct task_slices slices = { .nr_tasks = stats->nr_tasks,
				      .nr_threads = model->nr_threads };
	struct by_thread by = by_thread_group(model, model->slice_counts.thread,
					      model->slice_counts.nr);
	struct inside_tasks inside;

	slices.tasks = xcalloc(slices.nr_tasks, sizeof(*slices.tasks));
	slices.threads = xcalloc(slices.nr_threads, sizeof(*slices.threads));
	for (size_t i = 0; i < slices.nr_tasks; i++)
		slices.tasks[i].figures = stats->tasks[i].events;
	for (size_t i = 0; i < slices.nr_threads; i++)
		slices.threads[i].figures = stats->threads[i].events;
	inside_tasks_init(&inside, model, stats);
	for (uint32_t thread = 0; thread < model->nr_threads; thread++)
		add_slices(&slices, &inside, &by, thread);
	inside_tasks_free(&inside);
	by_thread_free(&by);
	return slices;
}

void task_slices_free(struct task_slices *slices)
{
	metric_slices_free(slices->tasks, slices->nr_tasks);
	metric_slices_free(slices->threads, slices->nr_threads);
	*slices = (struct task_slices){ 0 };
}
