// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "analysis/instances/periodic_tasks.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *periodic_tasks_report_compute(const struct analyses *analyses)
{
	struct periodic_tasks *result = xcalloc(1, sizeof(*result));

	*result = periodic_tasks_compute(analyses->model, analyses->stats);
	return result;
}

static void periodic_tasks_report_free(void *result)
{
	periodic_tasks_free(result);
	free(result);
}

static const char *periodic_tasks_report_not_computed(const void *result)
{
	return ((const struct periodic_tasks *)result)->nr ?
		       NULL :
		       "no thread begins a task 30 times in equal steps of time";
}

static const void *task_rows(const void *result, size_t *nr)
{
	const struct periodic_tasks *tasks = result;

	*nr = tasks->nr;
	return tasks->rows;
}

static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct periodic_task *periodic = row;
	const struct task *task = &source->analyses->stats->tasks[periodic->task];

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, task->name),
	};
}

static struct table_cell period_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){
		.whole = (uint64_t)llround(((const struct periodic_task *)row)->period_ns),
	};
}

#define FIELD(field) TABLE_FIELD(periodic_task, field)

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task.", .cell = task_cell },
	{ COLUMN_THREAD, NULL, "thread", "The thread.", FIELD(thread) },
	{ COLUMN_COUNT, "instances", "instances",
	  "How many instances it has that begin and end in the trace.", FIELD(nr_instances) },
	{ COLUMN_TIME, "period_ns", "period",
	  "The step of the grid that fits their begins best, by least squares.",
	  .cell = period_cell },
	{ COLUMN_COUNT, "missing", "missing",
	  "In how many steps of the grid it should have begun, and did not.", FIELD(nr_missing) },
	{ COLUMN_TIME, "begin_median_ns", "begin p50",
	  "Jitter of begins: how far from the grid, to either side; the median.",
	  FIELD(begins.median_ns) },
	{ COLUMN_TIME, "begin_p99_ns", "p99", "The same: the 99th percentile, by nearest rank.",
	  FIELD(begins.p99_ns) },
	{ COLUMN_TIME, "begin_max_ns", "max", "The same: the greatest.", FIELD(begins.max_ns) },
	{ COLUMN_TIME, "end_median_ns", "end p50",
	  "Jitter of ends, from a grid of the same step; the median.", FIELD(ends.median_ns) },
	{ COLUMN_TIME, "end_p99_ns", "p99", "The same: the 99th percentile, by nearest rank.",
	  FIELD(ends.p99_ns) },
	{ COLUMN_TIME, "end_max_ns", "max", "The same: the greatest.", FIELD(ends.max_ns) },
	{ COLUMN_FROM, "worst_from_ns", NULL,
	  "When the instance began whose begin is farthest from the grid.", FIELD(worst_from_ns) },
	{ COLUMN_TO, "worst_to_ns", NULL, "When it ended.", FIELD(worst_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "tasks", "Periodic tasks", "task", columns, sizeof(struct periodic_task), task_rows },
	{ 0 },
};

const struct analysis_desc periodic_tasks_analysis = {
	.name = "periodic_tasks",
	.help = "tasks that begin in equal steps of time, and the jitter of begins and ends",
	.title = "Periodic tasks",
	.tables = tables,
	.compute = periodic_tasks_report_compute,
	.free = periodic_tasks_report_free,
	.not_computed = periodic_tasks_report_not_computed,
};
