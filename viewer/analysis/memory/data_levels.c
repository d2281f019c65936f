// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/data_levels.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>

#include <uapi/annot.h>

#include "analysis/base/by_thread.h"
#include "analysis/events/event_rates.h"
#include "analysis/tasks/span_walk.h"
#include "analysis/memory/sample_misses.h"
#include "util/xalloc.h"

/* Of each event a row for all threads, and one for each task behind it. */
struct builder {
	const struct model *model;
	const struct task_stats *stats;
	struct data_levels_row *rows;
};

static size_t rows_of_event(const struct builder *builder)
{
	return 1 + builder->stats->nr_tasks;
}

static void add_sample(struct data_levels_row *row, uint8_t has, uint64_t data_src)
{
	row->nr_samples++;
	if (!(has & ANNOT_SAMPLE_HAS_DATA_SRC) ||
	    !(data_src & PERF_MEM_OP_LOAD << PERF_MEM_OP_SHIFT))
		return;
	row->nr_loads++;
	row->nr[data_level_of(data_src)]++;
}

/* To the tasks that its thread is in: to each once. */
static void add_to_tasks(const struct builder *builder, const struct span_walk *walk, size_t sample)
{
	const struct sample_table *samples = &builder->model->samples;
	struct data_levels_row *rows = builder->rows +
				       samples->event[sample] * rows_of_event(builder) + 1;

	for (size_t i = 0; i < walk->nr_open; i++) {
		if (walk->open[i].is_outermost)
			add_sample(&rows[walk->open[i].task], samples->has[sample],
				   samples->data_src[sample]);
	}
}

static void add_by_task(const struct builder *builder)
{
	const struct sample_table *samples = &builder->model->samples;
	struct by_thread by = by_thread_group(builder->model, samples->thread, samples->nr);
	struct span_walk walk;

	span_walk_init(&walk, builder->model, builder->stats);
	for (uint32_t thread = 0; thread < builder->model->nr_threads; thread++) {
		span_walk_start(&walk, thread);
		for (size_t i = by.first[thread]; i < by.first[thread + 1]; i++) {
			span_walk_to(&walk, samples->time_ns[by.rows[i]]);
			add_to_tasks(builder, &walk, by.rows[i]);
		}
	}
	span_walk_free(&walk);
	by_thread_free(&by);
}

/* @nr of the row's samples, of as many instructions as were counted. */
static struct data_levels_figure by_ratio(const struct builder *builder,
					  const struct data_levels_row *row, uint64_t nr,
					  const struct event_figures *figures)
{
	size_t counter = event_instructions_beside(builder->model, row->event, figures);
	double each = sample_misses_instructions(builder->model, row->event, figures,
						 row->nr_samples);

	if (isnan(each))
		return (struct data_levels_figure){ 0 };
	return (struct data_levels_figure){
		.is_known = true,
		.count = each * (double)nr,
		.error = event_samples_error(each * (double)nr, each * each * (double)nr, each) +
			 event_error(builder->model, counter, &figures[counter]) /
				 (double)row->nr_samples * (double)nr,
	};
}

static void settle_row(const struct builder *builder, struct data_levels_row *row)
{
	const struct event_figures *figures = row->task == NO_TASK ?
						      builder->stats->events :
						      builder->stats->tasks[row->task].events;

	row->l1_misses = by_ratio(builder, row, row->nr_loads - row->nr[DATA_L1], figures);
	row->memory_loads = by_ratio(builder, row, row->nr[DATA_MEMORY], figures);
}

static int compare_rows(const void *a, const void *b)
{
	const struct data_levels_row *first = a, *second = b;

	if (first->event != second->event)
		return first->event < second->event ? -1 : 1;
	if ((first->task == NO_TASK) != (second->task == NO_TASK))
		return first->task == NO_TASK ? -1 : 1;
	if (first->nr_loads != second->nr_loads)
		return first->nr_loads > second->nr_loads ? -1 : 1;
	return first->task < second->task ? -1 : first->task > second->task;
}

/* Those with loads move to the front. Returns how many. */
static size_t keep_loads(const struct builder *builder, size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		struct data_levels_row row = builder->rows[i];
		size_t at = i % rows_of_event(builder);

		if (!row.nr_loads)
			continue;
		row.event = i / rows_of_event(builder);
		row.task = at ? (uint32_t)at - 1 : NO_TASK;
		settle_row(builder, &row);
		builder->rows[kept++] = row;
	}
	return kept;
}

struct data_levels data_levels_compute(const struct model *model, const struct task_stats *stats)
{
	const struct sample_table *samples = &model->samples;
	struct builder builder = { .model = model, .stats = stats };
	size_t nr = model->nr_pmu_events * rows_of_event(&builder);
	struct data_levels levels;

	builder.rows = xcalloc(nr, sizeof(*builder.rows));
	for (size_t i = 0; i < samples->nr; i++)
		add_sample(&builder.rows[samples->event[i] * rows_of_event(&builder)],
			   samples->has[i], samples->data_src[i]);
	add_by_task(&builder);
	levels = (struct data_levels){ .nr = keep_loads(&builder, nr), .rows = builder.rows };
	if (levels.nr)
		qsort(levels.rows, levels.nr, sizeof(*levels.rows), compare_rows);
	return levels;
}

void data_levels_free(struct data_levels *levels)
{
	free(levels->rows);
	*levels = (struct data_levels){ 0 };
}
