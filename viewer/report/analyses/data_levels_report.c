// SPDX-License-Identifier: GPL-2.0
/*
 * data_levels: where sampled loads found their data.
 */
#include <stdlib.h>

#include "analysis/memory/data_levels.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *data_levels_report_compute(const struct analyses *analyses)
{
	struct data_levels *levels = xcalloc(1, sizeof(*levels));

	*levels = data_levels_compute(analyses->model, analyses->stats);
	return levels;
}

static void data_levels_report_free(void *result)
{
	data_levels_free(result);
	free(result);
}

static const char *data_levels_report_not_computed(const void *result)
{
	const struct data_levels *levels = result;

	return levels->nr ?
		       NULL :
		       "no sample tells where its data was (annot record -e load_latency; on AMD, -e ibs_op)";
}

static const void *level_rows(const void *result, size_t *nr)
{
	const struct data_levels *levels = result;

	*nr = levels->nr;
	return levels->rows;
}

static struct table_cell event_cell(const struct table_source *source, const void *row)
{
	const struct model *model = source->analyses->model;
	const struct data_levels_row *own = row;

	return (struct table_cell){
		.text = trace_string(model->trace, model->pmu_events[own->event].name),
	};
}

static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct analyses *analyses = source->analyses;
	const struct data_levels_row *own = row;

	if (own->task == NO_TASK)
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){
		.text = trace_string(analyses->model->trace,
				     analyses->stats->tasks[own->task].name),
	};
}

static struct table_cell number(const struct data_levels_figure *figure, double value)
{
	return (struct table_cell){ .is_unknown = !figure->is_known, .real = value };
}

static struct table_cell misses_cell(const struct table_source *source, const void *row)
{
	const struct data_levels_row *own = row;

	(void)source;
	return number(&own->l1_misses, own->l1_misses.count);
}

static struct table_cell misses_error_cell(const struct table_source *source, const void *row)
{
	const struct data_levels_row *own = row;

	(void)source;
	return number(&own->l1_misses, own->l1_misses.error);
}

static struct table_cell memory_cell(const struct table_source *source, const void *row)
{
	const struct data_levels_row *own = row;

	(void)source;
	return number(&own->memory_loads, own->memory_loads.count);
}

static struct table_cell memory_error_cell(const struct table_source *source, const void *row)
{
	const struct data_levels_row *own = row;

	(void)source;
	return number(&own->memory_loads, own->memory_loads.error);
}

#define LEVEL(level) TABLE_FIELD(data_levels_row, nr[level])

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "event", "event", "The event that was sampled.", .cell = event_cell },
	{ COLUMN_TEXT, "task", "task", "The task; null: all threads together.", .cell = task_cell },
	{ COLUMN_COUNT, "samples", "samples", "Its samples.",
	  TABLE_FIELD(data_levels_row, nr_samples) },
	{ COLUMN_COUNT, "loads", "loads", "Of these, loads that tell where their data was.",
	  TABLE_FIELD(data_levels_row, nr_loads) },
	{ COLUMN_COUNT, "l1", "L1", "Of these, in L1.", LEVEL(DATA_L1) },
	{ COLUMN_COUNT, "l2", "L2", "In L2.", LEVEL(DATA_L2) },
	{ COLUMN_COUNT, "l3", "L3", "In L3.", LEVEL(DATA_L3) },
	{ COLUMN_COUNT, "memory", "RAM", "In memory.", LEVEL(DATA_MEMORY) },
	{ COLUMN_COUNT, "elsewhere", NULL,
	  "On its way already, in another CPU's cache, in a device, or not told.",
	  LEVEL(DATA_ELSEWHERE) },
	{ COLUMN_NUMBER, "l1_misses", "misses",
	  "Loads that missed L1, by ratio: counted instructions * such samples / samples; null: no such samples, or no "
	  "instructions counted.",
	  .cell = misses_cell },
	{ COLUMN_NUMBER, "l1_misses_error", "+/-", "The truth is within it in 95 of 100 cases.",
	  .cell = misses_error_cell },
	{ COLUMN_NUMBER, "memory_loads", "from RAM", "Loads from memory, in the same way.",
	  .cell = memory_cell },
	{ COLUMN_NUMBER, "memory_loads_error", "+/-", "As the other error.",
	  .cell = memory_error_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "rows", "Loads by level", "task", columns, sizeof(struct data_levels_row), level_rows },
	{ 0 },
};

const struct analysis_desc data_levels_analysis = {
	.name = "data_levels",
	.help = "where sampled loads found their data: cache or memory, by task",
	.title = "Loads by level",
	.tables = tables,
	.compute = data_levels_report_compute,
	.free = data_levels_report_free,
	.not_computed = data_levels_report_not_computed,
};
