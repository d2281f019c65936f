// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/instances/percentiles.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *percentiles_report_compute(const struct analyses *analyses)
{
	struct percentiles *result = xcalloc(1, sizeof(*result));

	*result = percentiles_compute(analyses->model, analyses->stats);
	return result;
}

static void percentiles_report_free(void *result)
{
	percentiles_free(result);
	free(result);
}

static const char *percentiles_report_not_computed(const void *result)
{
	const struct percentiles *percentiles = result;

	return percentiles->nr_rows ? NULL : "no task has 30 instances";
}

static const void *percentile_rows(const void *result, size_t *nr)
{
	const struct percentiles *percentiles = result;

	*nr = percentiles->nr_rows;
	return percentiles->rows;
}

static const void *bucket_rows(const void *result, size_t *nr)
{
	const struct percentiles *percentiles = result;

	*nr = percentiles->nr_buckets;
	return percentiles->buckets;
}

/* These two are of both tables: `task` is the first field of their rows. */
static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct task *task = &source->analyses->stats->tasks[*(const uint32_t *)row];

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, task->name),
	};
}

static struct table_cell kind_cell(const struct table_source *source, const void *row)
{
	const struct task *task = &source->analyses->stats->tasks[*(const uint32_t *)row];

	return (struct table_cell){ .text = task->kind == TRACE_SPAN_WAIT ? "wait" : "work" };
}

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){
		.text = percentile_name(((const struct percentile_row *)row)->which),
	};
}

static struct table_cell low_cell(const struct table_source *source, const void *row)
{
	const struct percentile_row *percentile = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !percentile->has_low,
				    .whole = percentile->low_ns };
}

static struct table_cell high_cell(const struct table_source *source, const void *row)
{
	const struct percentile_row *percentile = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !percentile->has_high,
				    .whole = percentile->high_ns };
}

static struct table_cell below_cell(const struct table_source *source, const void *row)
{
	const struct percentile_bucket *bucket = row;

	(void)source;
	return (struct table_cell){ .is_unknown = bucket->below_ns == UINT64_MAX,
				    .whole = bucket->below_ns };
}

#define FIELD(field) TABLE_FIELD(percentile_row, field)

static const struct table_column percentile_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task.", .cell = task_cell },
	{ COLUMN_TEXT, "kind", "kind", "What its instances are: work or wait.", .cell = kind_cell },
	{ COLUMN_COUNT, "instances", "instances", "How many begin and end in the trace.",
	  FIELD(nr_instances) },
	{ COLUMN_TEXT, "percentile", "percentile",
	  "p50, p90, p99, p99.9: so many percent of them are not longer; max: the longest.",
	  .cell = name_cell },
	{ COLUMN_TIME, "ns", "time", "How long that one took, by the clock.", FIELD(ns) },
	{ COLUMN_TIME, "low_ns", "low",
	  "Where its interval of 95 % begins; unknown where they are too few.", .cell = low_cell },
	{ COLUMN_TIME, "high_ns", "high", "Where it ends; unknown likewise.", .cell = high_cell },
	{ COLUMN_THREAD, NULL, "thread", "The thread that ran this instance.", FIELD(thread) },
	{ COLUMN_FROM, "from_ns", NULL, "When it began.", FIELD(from_ns) },
	{ COLUMN_TO, "to_ns", NULL, "When it ended.", FIELD(to_ns) },
	{ 0 },
};

#undef FIELD
#define FIELD(field) TABLE_FIELD(percentile_bucket, field)

static const struct table_column bucket_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task.", .cell = task_cell },
	{ COLUMN_TEXT, "kind", "kind", "What its instances are: work or wait.", .cell = kind_cell },
	{ COLUMN_TIME, "least_ns", "at least",
	  "Where the step begins: instances of this length or more.", FIELD(from_ns) },
	{ COLUMN_TIME, "below_ns", "below",
	  "Where it ends: instances shorter than that; unknown: of any length.",
	  .cell = below_cell },
	{ COLUMN_COUNT, "instances", "instances", "How many these are.", FIELD(nr_instances) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "tasks", "How long instances take", "percentile", percentile_columns,
	  sizeof(struct percentile_row), percentile_rows },
	{ "histogram", "How many take how long", "step", bucket_columns,
	  sizeof(struct percentile_bucket), bucket_rows },
	{ 0 },
};

const struct analysis_desc percentiles_analysis = {
	.name = "percentiles",
	.help = "how long instances of tasks take: p50 to p99.9, and a histogram",
	.title = "Percentiles",
	.tables = tables,
	.compute = percentiles_report_compute,
	.free = percentiles_report_free,
	.not_computed = percentiles_report_not_computed,
};
