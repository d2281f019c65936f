// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/waits/system_calls.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *system_calls_report_compute(const struct analyses *analyses)
{
	struct system_calls *result = xcalloc(1, sizeof(*result));

	*result = system_calls_compute(analyses->model);
	return result;
}

static void system_calls_report_free(void *result)
{
	system_calls_free(result);
	free(result);
}

static const void *call_rows(const void *result, size_t *nr)
{
	const struct system_calls *system_calls = result;

	*nr = system_calls->nr;
	return system_calls->calls;
}

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	const struct system_call *call = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, call->name),
	};
}

#define FIELD(field) TABLE_FIELD(system_call, field)

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "call", "call", "The system call.", .cell = name_cell },
	{ COLUMN_COUNT, "calls", "count", "How often it was called.", FIELD(calls) },
	{ COLUMN_COUNT, "errors", "errors", "How often it returned an error.", FIELD(errors) },
	{ COLUMN_TIME, "total_ns", "total", "The time of all calls.", FIELD(total_ns) },
	{ COLUMN_TIME, "on_cpu_ns", "on CPU", "When the thread was on a CPU in them.",
	  FIELD(on_cpu_ns) },
	{ COLUMN_TIME, "blocked_ns", "blocked", "When it was asleep or stopped.",
	  FIELD(blocked_ns) },
	{ COLUMN_TIME, "waiting_ns", "waiting",
	  "When it was preempted, or woken and not yet on a CPU.", FIELD(waiting_ns) },
	{ COLUMN_TIME, "median_ns", "median", "The median of the calls' times.", FIELD(median_ns) },
	{ COLUMN_TIME, "max_ns", "max", "The time of the longest one.", FIELD(max_ns) },
	{ COLUMN_COUNT, "cut", "cut",
	  "Calls whose begin or end is not in the trace: they lasted at least so long.",
	  FIELD(cut) },
	{ COLUMN_THREAD, NULL, "longest in", "The thread that made the longest one.",
	  FIELD(thread) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When the longest one began.",
	  FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", FIELD(longest_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "calls", "System calls", "call", columns, sizeof(struct system_call), call_rows },
	{ 0 },
};

const struct analysis_desc system_calls_analysis = {
	.name = "system_calls",
	.help = "system calls by name: how many, how long, blocked, failed",
	.title = "System calls",
	.tables = tables,
	.compute = system_calls_report_compute,
	.free = system_calls_report_free,
};
