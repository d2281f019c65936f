// SPDX-License-Identifier: GPL-2.0
#include "report/samples/task_samples.h"

#include "analysis/base/by_thread.h"
#include "analysis/tasks/span_walk.h"
#include "util/xalloc.h"

static bool is_in_task(const struct span_walk *walk, uint32_t task)
{
	if (task == NO_TASK)
		return walk->model->threads[walk->thread].in_session;
	for (size_t i = 0; i < walk->nr_open; i++) {
		if (walk->open[i].task == task)
			return true;
	}
	return false;
}

struct task_samples task_samples_of(const struct model *model, const struct task_stats *stats,
				    uint32_t task)
{
	const struct sample_table *samples = &model->samples;
	struct by_thread by = by_thread_group(model, samples->thread, samples->nr);
	struct task_samples list = { 0 };
	struct span_walk walk;

	span_walk_init(&walk, model, stats);
	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		span_walk_start(&walk, thread);
		for (size_t i = by.first[thread]; i < by.first[thread + 1]; i++) {
			span_walk_to(&walk, samples->time_ns[by.rows[i]]);
			if (!is_in_task(&walk, task))
				continue;
			ARRAY_MAKE_ROOM(list.rows, list.nr, list.capacity);
			list.rows[list.nr++] = by.rows[i];
		}
	}
	span_walk_free(&walk);
	by_thread_free(&by);
	return list;
}
