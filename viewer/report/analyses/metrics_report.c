// SPDX-License-Identifier: GPL-2.0
/*
 * metrics: those of a directory (annot report --metrics), by task.
 */
#include <stdlib.h>

#include "analysis/topdown/metrics.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *metrics_report_compute(const struct analyses *analyses)
{
	struct metrics *metrics = xcalloc(1, sizeof(*metrics));

	*metrics = metrics_compute(analyses->model, analyses->stats, analyses->metrics);
	return metrics;
}

static void metrics_report_free(void *result)
{
	metrics_free(result);
	free(result);
}

static const char *metrics_report_not_computed(const void *result)
{
	const struct metrics *metrics = result;

	if (!metrics->is_asked)
		return "there are no formulas (annot report --metrics DIR)";
	return metrics->nr_metrics ? NULL : "of no metric all events were counted";
}

static const void *metrics_rows(const void *result, size_t *nr)
{
	const struct metrics *metrics = result;

	*nr = metrics->nr;
	return metrics->rows;
}

static struct table_cell text_cell(const char *text)
{
	return (struct table_cell){ .is_unknown = !*text, .text = text };
}

static struct table_cell metric_cell(const struct table_source *source, const void *row)
{
	const struct metrics_row *own = row;

	(void)source;
	return text_cell(own->metric->name);
}

static struct table_cell description_cell(const struct table_source *source, const void *row)
{
	const struct metrics_row *own = row;

	(void)source;
	return text_cell(own->metric->description);
}

static struct table_cell unit_cell(const struct table_source *source, const void *row)
{
	const struct metrics_row *own = row;

	(void)source;
	return text_cell(own->metric->unit);
}

static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct analyses *analyses = source->analyses;
	const struct metrics_row *own = row;

	return text_cell(
		trace_string(analyses->model->trace, analyses->stats->tasks[own->task].name));
}

static struct table_cell scaled(const struct metrics_row *row, bool is_known, double value)
{
	return (struct table_cell){ .is_unknown = !is_known, .real = row->metric->scale * value };
}

static struct table_cell value_cell(const struct table_source *source, const void *row)
{
	const struct metrics_row *own = row;

	(void)source;
	return scaled(own, true, own->estimate.value);
}

static struct table_cell low_cell(const struct table_source *source, const void *row)
{
	const struct metrics_row *own = row;

	(void)source;
	return scaled(own, own->estimate.has_bounds, own->estimate.low);
}

static struct table_cell high_cell(const struct table_source *source, const void *row)
{
	const struct metrics_row *own = row;

	(void)source;
	return scaled(own, own->estimate.has_bounds, own->estimate.high);
}

static struct table_cell measured_cell(const struct table_source *source, const void *row)
{
	const struct metrics_row *own = row;

	(void)source;
	return (struct table_cell){ .real = 100 * own->estimate.measured };
}

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "metric", "metric", "Its name in the directory.", .cell = metric_cell },
	{ COLUMN_TEXT, "task", "task", "The task, of all its threads.", .cell = task_cell },
	{ COLUMN_NUMBER, "value", "value", "The value of its formula, in its unit.",
	  .cell = value_cell },
	{ COLUMN_TEXT, "unit", "unit", "The unit that the directory tells; null: none.",
	  .cell = unit_cell },
	{ COLUMN_NUMBER, "low", "from", "Begin of its interval, 95 %; null: too few slices.",
	  .cell = low_cell },
	{ COLUMN_NUMBER, "high", "to", "Its end.", .cell = high_cell },
	{ COLUMN_NUMBER, "measured_pct", "measured",
	  "In how much of the time on a CPU all of its events were counted together.",
	  .cell = measured_cell },
	{ COLUMN_TIME, "on_cpu_ns", NULL, "The task's time on a CPU.",
	  TABLE_FIELD(metrics_row, on_cpu_ns) },
	{ COLUMN_TEXT, "description", NULL, "What the directory says of the metric; null: nothing.",
	  .cell = description_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "rows", "Metrics of tasks", "metric of a task", columns, sizeof(struct metrics_row),
	  metrics_rows },
	{ 0 },
};

const struct analysis_desc metrics_analysis = {
	.name = "metrics",
	.help = "metrics of tasks by the formulas of a directory (--metrics)",
	.title = "Metrics",
	.tables = tables,
	.compute = metrics_report_compute,
	.free = metrics_report_free,
	.not_computed = metrics_report_not_computed,
};
