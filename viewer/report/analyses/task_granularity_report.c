// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/regions/task_granularity.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *task_granularity_report_compute(const struct analyses *analyses)
{
	struct task_granularity *result = xcalloc(1, sizeof(*result));

	*result = task_granularity_compute(analyses->model);
	return result;
}

static void task_granularity_report_free(void *result)
{
	task_granularity_free(result);
	free(result);
}

static void task_granularity_report_add_findings(const struct analyses *analyses,
						 const void *result, struct findings *findings)
{
	task_granularity_add_findings(analyses->model, result, findings);
}

static const void *task_rows(const void *result, size_t *nr)
{
	const struct task_granularity *granularity = result;

	*nr = granularity->nr;
	return granularity->tasks;
}

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	const struct task_granularity_task *task = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, task->name),
	};
}

static struct table_cell gap_cell(const struct table_source *source, const void *row)
{
	const struct task_granularity_task *task = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !task->gaps, .whole = task->gap_ns };
}

static struct table_cell share_cell(const struct table_source *source, const void *row)
{
	const struct task_granularity_task *task = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !task->gaps,
				    .real = 100 * task_granularity_gap_share(task) };
}

#define FIELD(field) TABLE_FIELD(task_granularity_task, field)

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "task", "task", "The name of the task.", .cell = name_cell },
	{ COLUMN_COUNT, "tasks", "tasks", "How often it was executed.", FIELD(tasks) },
	{ COLUMN_COUNT, "threads", "threads", "By how many threads.", FIELD(threads) },
	{ COLUMN_TIME, "self_ns", "self", "Its time, without the tasks and waits inside it.",
	  FIELD(self_ns) },
	{ COLUMN_TIME, "median_ns", "median", "The median of that.", FIELD(median_ns) },
	{ COLUMN_COUNT, "gaps", NULL, "How often a task followed another one in its thread.",
	  FIELD(gaps) },
	{ COLUMN_TIME, "gap_ns", "gap",
	  "The median time between the two; null if no task followed another one.",
	  .cell = gap_cell },
	{ COLUMN_NUMBER, "gap_pct", "gap %", "The share of the gap in the median task and its gap.",
	  .cell = share_cell },
	{ COLUMN_THREAD, NULL, "most by", "The thread that executed most.", FIELD(most_thread) },
	{ COLUMN_FROM, "from_ns", NULL, "When that thread's first one began.", FIELD(from_ns) },
	{ COLUMN_TO, "to_ns", NULL, "When its last one ended.", FIELD(to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "tasks", "Lengths of tasks", "task", columns, sizeof(struct task_granularity_task),
	  task_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_TASK_GRANULARITY,
		"tasks are too small",
		"The runtime takes time to create a task, to find one, and to begin it. If tasks are short, that "
		"takes a large share of all time.",
		"annot record --attach records the tasks of OpenMP programs. The gap is the median time from a "
		"task's end to the next one's begin in the same thread. A task is too small if the gap is 20 % or "
		"more of the median task and its gap, of 100 tasks or more. '<' stands "
		"before an estimate of what is lost at most: the gap for each task of the thread that executed most. The "
		"time to create tasks is not in it.",
		"In the page, zoom until single tasks are visible. annot report --show task_granularity lists all "
		"tasks.",
		CATALOGUE_CURES(
			"Stop making tasks below some size of the problem: if(n > 1000), or final() and "
			"mergeable.",
			"Use taskloop with grainsize() for loops.",
			"Let a task do several steps of work."),
	},
	{ 0 },
};

const struct analysis_desc task_granularity_analysis = {
	.name = "task_granularity",
	.help = "tasks: their length, and the time between them",
	.title = "Task lengths",
	.tables = tables,
	.catalogue = catalogue,
	.compute = task_granularity_report_compute,
	.free = task_granularity_report_free,
	.add_findings = task_granularity_report_add_findings,
};
