// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/working_set_misses.h"

#include "analysis/tasks/task_events.h"

#define FEW_MISSES 0.1
#define MANY_MISSES 0.5

/* Whether the event tells a level's misses better than what is known: in the same mode as loads. */
static bool is_better(const struct model *model, size_t event, const struct working_set *sets,
		      const struct event_figures *figures, const struct working_set_misses *misses)
{
	const struct pmu_event *own = &model->pmu_events[event];
	const struct pmu_event *loads = &model->pmu_events[sets->event];

	if (!figures[event].measured || own->user != loads->user || own->kernel != loads->kernel)
		return false;
	return !misses->measured_known ||
	       (own->is_counted && !model->pmu_events[misses->event].is_counted);
}

static const struct event_figures *figures_of(const struct task_stats *stats,
					      const struct working_set_task *task)
{
	const struct task *row = &stats->tasks[task->task];

	for (size_t i = 0; i < row->nr_threads; i++) {
		if (row->threads[i].thread == task->thread)
			return row->threads[i].events;
	}
	return row->events;
}

static void measure_misses(const struct working_set *sets, const struct model *model,
			   const struct task_stats *stats, const enum miss_level *levels,
			   struct working_set_task *task)
{
	const struct event_figures *figures = figures_of(stats, task);
	double loads = figures[sets->event].count;

	for (size_t event = 0; event < model->nr_pmu_events && loads > 0; event++) {
		int level = (int)levels[event] - MISS_L1;
		struct working_set_misses *misses;

		if (level < 0 || event == sets->event)
			continue;
		misses = &task->misses[level];
		if (!is_better(model, event, sets, figures, misses))
			continue;
		misses->measured_known = true;
		misses->measured = figures[event].count / loads;
		misses->event = event;
	}
}

static struct working_set_held what_is_held(const struct working_set *sets, int level)
{
	struct working_set_held held = { 0 };

	for (size_t i = 0; i < sets->nr; i++) {
		const struct working_set_task *task = &sets->tasks[i];
		const struct working_set_misses *misses = &task->misses[level];

		if (!task->knee_known || !misses->measured_known)
			continue;
		if (misses->measured < FEW_MISSES && task->knee_bytes > held.bytes)
			held.bytes = task->knee_bytes;
		if (misses->measured > MANY_MISSES &&
		    (!(held.not_bytes > 0) || task->knee_bytes < held.not_bytes))
			held.not_bytes = task->knee_bytes;
	}
	/* Then something else than the size decides. */
	if (held.not_bytes > 0 && held.not_bytes <= held.bytes)
		return (struct working_set_held){ 0 };
	return held;
}

void working_set_misses_measure(struct working_set *sets, const struct model *model,
				const struct task_stats *stats, const enum miss_level *levels)
{
	if (!sets->is_of_loads)
		return;
	for (size_t i = 0; i < sets->nr; i++)
		measure_misses(sets, model, stats, levels, &sets->tasks[i]);
	for (int level = 0; level < WORKING_SET_LEVELS; level++)
		sets->held[level] = what_is_held(sets, level);
}
