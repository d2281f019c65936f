// SPDX-License-Identifier: GPL-2.0
#include "analysis/tasks/task_events.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/by_thread.h"
#include "analysis/events/event_turns.h"
#include "analysis/tasks/inside_tasks.h"
#include "analysis/tasks/span_walk.h"
#include "analysis/events/unmeasured.h"
#include "util/xalloc.h"

/* While the threads are gone through, one after the other. */
struct attribution {
	const struct model *model;
	struct task_stats *stats;
	struct span_walk walk; /* of samples */
	struct inside_tasks inside; /* of slices, and of time without a measurement */
	uint32_t thread;
	size_t *thread_at; /* by task: which of its threads comes next */
};

/* What the thread at hand did of @task. */
static struct thread_figures *figures_of(struct attribution *at, uint32_t task)
{
	struct thread_figures *threads = at->stats->tasks[task].threads;
	size_t *next = &at->thread_at[task];

	while (threads[*next].thread < at->thread)
		(*next)++;
	return &threads[*next];
}

static void attribute_samples(struct attribution *at, const struct by_thread *by, uint32_t thread)
{
	const struct sample_table *samples = &at->model->samples;

	span_walk_start(&at->walk, thread);
	for (size_t i = by->first[thread]; i < by->first[thread + 1]; i++) {
		size_t sample = by->rows[i];
		uint8_t event = samples->event[sample];
		uint64_t period = samples->period[sample];

		event_add_sample(&at->stats->threads[thread].events[event], period);
		span_walk_to(&at->walk, samples->time_ns[sample]);
		for (size_t j = 0; j < at->walk.nr_open; j++) {
			if (at->walk.open[j].is_outermost)
				event_add_sample(
					&figures_of(at, at->walk.open[j].task)->events[event],
					period);
		}
	}
}

static void add_counts(const struct model *model, struct slice_part part,
		       struct event_figures *events)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (model->pmu_events[event].is_counted)
			event_add_count(model, event, part, &events[event]);
	}
}

static void attribute_slice(struct attribution *at, struct slice_part slice, uint64_t slice_ns)
{
	const struct slice_count_table *counts = &at->model->slice_counts;

	inside_tasks_find(&at->inside, counts->start_ns[slice.row], counts->end_ns[slice.row]);
	for (size_t i = 0; i < at->inside.nr_touched; i++) {
		uint32_t task = at->inside.touched[i];
		struct slice_part part = slice;

		part.share = (double)at->inside.ns[task] / (double)slice_ns;
		add_counts(at->model, part, figures_of(at, task)->events);
	}
	inside_tasks_forget(&at->inside);
}

static void attribute_counts(struct attribution *at, const struct by_thread *by, uint32_t thread)
{
	const struct slice_count_table *counts = &at->model->slice_counts;
	struct slice_part slice = { .share = 1 };

	inside_tasks_start(&at->inside, thread);
	for (size_t i = by->first[thread]; i < by->first[thread + 1]; i++) {
		uint64_t slice_ns;

		slice.row = by->rows[i];
		slice_ns = counts->end_ns[slice.row] - counts->start_ns[slice.row];
		add_counts(at->model, slice, at->stats->threads[thread].events);
		attribute_slice(at, slice, slice_ns);
		slice.at_ns += slice_ns;
	}
}

static void set_time(const struct model *model, uint64_t on_cpu_ns, struct event_figures *events)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++)
		events[event].on_cpu_ns = on_cpu_ns;
}

/*
 * Whether the figures can be used. The trace does not have slices that counted nothing. They count
 * as valid if any other slice was counted.
 */
static void settle_event(const struct model *model, size_t event, struct event_figures *figures)
{
	uint64_t left_out_ns = figures->unmeasured_ns;

	event_turns_settle(figures);
	if (left_out_ns > figures->on_cpu_ns)
		left_out_ns = figures->on_cpu_ns;
	figures->on_cpu_ns -= left_out_ns;
	if (model->pmu_events[event].error || model->pmu_events[event].by_ratio)
		figures->measured = false;
	else if (figures->turns)
		return;
	else if (!model->pmu_events[event].is_counted)
		figures->measured = figures->nr_samples || figures->on_cpu_ns || !left_out_ns;
	else if (!figures->nr_incomplete && model->slice_counts.nr && figures->on_cpu_ns)
		figures->measured = true;
}

static void settle_figures(const struct model *model, struct event_figures *events)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++)
		settle_event(model, event, &events[event]);
}

/* Of the thread, and of it in each task. */
static void close_turns(struct attribution *at, uint32_t thread)
{
	if (!at->stats->all_turns)
		return;
	event_turns_close(at->model, at->stats->threads[thread].events);
	for (size_t i = 0; i < at->stats->nr_tasks; i++) {
		struct task *task = &at->stats->tasks[i];
		size_t next = at->thread_at[i];

		if (next < task->nr_threads && task->threads[next].thread == thread)
			event_turns_close(at->model, task->threads[next].events);
	}
}

static void attribute_thread(struct attribution *at, const struct by_thread *samples,
			     const struct by_thread *counts, uint32_t thread)
{
	struct thread_figures *life = &at->stats->threads[thread];

	at->thread = thread;
	set_time(at->model, life->ns[METRIC_ON_CPU], life->events);
	attribute_samples(at, samples, thread);
	attribute_counts(at, counts, thread);
	close_turns(at, thread);
}

static void attribute_unmeasured(struct attribution *at, const struct unmeasured *row)
{
	at->stats->threads[row->thread].events[row->event].unmeasured_ns += row->end_ns -
									    row->start_ns;
	inside_tasks_find(&at->inside, row->start_ns, row->end_ns);
	for (size_t i = 0; i < at->inside.nr_touched; i++) {
		uint32_t task = at->inside.touched[i];

		figures_of(at, task)->events[row->event].unmeasured_ns += at->inside.ns[task];
	}
	inside_tasks_forget(&at->inside);
}

static void attribute_all_unmeasured(struct attribution *at)
{
	struct unmeasured_list list = unmeasured_compute(at->model);

	for (size_t i = 0; i < list.nr; i++) {
		if (!i || list.rows[i].event != list.rows[i - 1].event)
			memset(at->thread_at, 0, at->stats->nr_tasks * sizeof(*at->thread_at));
		if (!i || list.rows[i].event != list.rows[i - 1].event ||
		    list.rows[i].thread != list.rows[i - 1].thread)
			inside_tasks_start(&at->inside, list.rows[i].thread);
		at->thread = list.rows[i].thread;
		attribute_unmeasured(at, &list.rows[i]);
	}
	unmeasured_free(&list);
}

static void add_figures(const struct model *model, struct event_figures *sum,
			const struct event_figures *events)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		sum[event].unmeasured_ns += events[event].unmeasured_ns;
		event_turns_add(&sum[event], &events[event]);
		if (!events[event].measured)
			continue;
		sum[event].measured = true;
		sum[event].nr_samples += events[event].nr_samples;
		if (!sum[event].turns)
			sum[event].count += events[event].count;
		sum[event].variance += events[event].variance;
		sum[event].shared += events[event].shared;
		sum[event].on_cpu_ns += events[event].on_cpu_ns;
		sum[event].nr_incomplete += events[event].nr_incomplete;
	}
}

static void add_up_tasks(const struct model *model, struct task_stats *stats)
{
	for (size_t i = 0; i < model->nr_threads; i++)
		settle_figures(model, stats->threads[i].events);
	for (size_t i = 0; i < stats->nr_tasks; i++) {
		struct task *task = &stats->tasks[i];

		for (size_t j = 0; j < task->nr_threads; j++) {
			settle_figures(model, task->threads[j].events);
			add_figures(model, task->events, task->threads[j].events);
		}
	}
}

/* Turns are those of threads. */
static void add_row_of_all(const struct model *model, size_t row, struct event_figures *events)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (model->pmu_events[event].is_counted && !events[event].turns)
			event_add_count(model, event, (struct slice_part){ row, 1, 0 },
					&events[event]);
	}
}

static void add_turns_of_threads(const struct model *model, struct task_stats *stats)
{
	for (size_t thread = 0; thread < model->nr_threads; thread++) {
		for (size_t event = 0; event < model->nr_pmu_events; event++)
			event_turns_add(&stats->events[event],
					&stats->threads[thread].events[event]);
	}
}

static void add_up_all(const struct model *model, struct task_stats *stats)
{
	const struct sample_table *samples = &model->samples;

	for (size_t i = 0; i < samples->nr; i++)
		event_add_sample(&stats->events[samples->event[i]], samples->period[i]);
	for (size_t row = 0; row < model->slice_counts.nr; row++)
		add_row_of_all(model, row, stats->events);
	settle_figures(model, stats->events);
	add_turns_of_threads(model, stats);
}

/* Each task, each of its threads, and each thread gets its place for all events. */
static void hand_out_figures(const struct model *model, struct task_stats *stats)
{
	size_t nr_events = model->nr_pmu_events, nr = model->nr_threads + stats->nr_tasks;
	struct event_figures *next;

	for (size_t i = 0; i < stats->nr_tasks; i++)
		nr += stats->tasks[i].nr_threads;
	/* The last are those of all together. */
	next = xcalloc((nr + 1) * nr_events, sizeof(*next));
	stats->all_events = next;
	stats->all_turns = event_turns_hand_out(model, next, nr + 1);
	stats->events = next + nr * nr_events;
	for (size_t i = 0; i < model->nr_threads; i++, next += nr_events)
		stats->threads[i].events = next;
	for (size_t i = 0; i < stats->nr_tasks; i++) {
		struct task *task = &stats->tasks[i];

		task->events = next;
		next += nr_events;
		for (size_t j = 0; j < task->nr_threads; j++, next += nr_events) {
			task->threads[j].events = next;
			set_time(model, task->threads[j].once_on_cpu_ns, next);
		}
	}
}

static void attribute_threads(const struct model *model, struct task_stats *stats)
{
	struct by_thread samples = by_thread_group(model, model->samples.thread, model->samples.nr);
	struct by_thread counts = by_thread_group(model, model->slice_counts.thread,
						  model->slice_counts.nr);
	struct attribution at = { .model = model, .stats = stats };

	span_walk_init(&at.walk, model, stats);
	inside_tasks_init(&at.inside, model, stats);
	at.thread_at = xcalloc(stats->nr_tasks, sizeof(*at.thread_at));
	for (uint32_t thread = 0; thread < model->nr_threads; thread++)
		attribute_thread(&at, &samples, &counts, thread);
	attribute_all_unmeasured(&at);
	span_walk_free(&at.walk);
	inside_tasks_free(&at.inside);
	free(at.thread_at);
	by_thread_free(&samples);
	by_thread_free(&counts);
}

void task_events_compute(const struct model *model, struct task_stats *stats)
{
	if (!model->nr_pmu_events)
		return;
	hand_out_figures(model, stats);
	attribute_threads(model, stats);
	add_up_tasks(model, stats);
	add_up_all(model, stats);
}
