// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd/mcp/longest_span.h"
#include "cmd/mcp/tools.h"
#include "report/report_json.h"
#include "report/report_sort.h"
#include "util/diag.h"

static void write_task(struct json *json, const struct mcp_call *call, const void *context,
		       size_t i)
{
	const struct report *report = context;
	const struct task *task = &report->stats->tasks[report->tasks[i]];
	struct longest_span longest;

	json_begin_object(json);
	report_json_task(json, report->model, task);
	if (longest_span_find(report->model, task, &longest))
		mcp_answer_span(json, "longest", call, call->trace, longest.thread, longest.from_ns,
				longest.to_ns);
	json_end_object(json);
}

/* Those of that name are left, in their order. Returns how many they are. */
static size_t keep_name(struct report *report, const char *name)
{
	size_t nr = 0;

	for (size_t i = 0; i < report->stats->nr_tasks; i++) {
		const struct task *task = &report->stats->tasks[report->tasks[i]];

		if (!name || !strcmp(trace_string(report->model->trace, task->name), name))
			report->tasks[nr++] = report->tasks[i];
	}
	return nr;
}

static int list(struct mcp_call *call)
{
	const char *name = mcp_text(call->arguments, "task");
	struct report report = {
		.model = call->trace->model,
		.stats = call->trace->stats,
		.analyses = call->trace->analyses,
	};
	struct mcp_rows rows = { .key = "tasks", .write = write_task, .context = &report };
	int status;

	report_sort(&report, NULL, 0);
	rows.nr = keep_name(&report, name);
	mcp_answer_losses(&call->json, "note", call->trace);
	if (name && !rows.nr)
		status = diag_error("there is no task '%.64s'", name);
	else
		status = mcp_answer_rows(call, &rows);
	report_free(&report);
	return status;
}

static const struct mcp_argument arguments[] = {
	MCP_TRACE_ARGUMENT,
	{ "task", MCP_TEXT, false, "The name of a task; default: all." },
	MCP_CURSOR_ARGUMENT,
	{ 0 },
};

const struct mcp_tool mcp_tool_tasks = {
	.name = "tasks",
	.title = "Figures of tasks",
	.description =
		"Statistics of tasks, those with most time first. A task is all spans of one name and kind. "
		"Each has its number of instances, their wall time (sum, least, median, greatest), how much of "
		"it they ran, waited, were preempted or blocked, the balance of its threads, what was measured, "
		"and its longest instance.",
	.arguments = arguments,
	.call = list,
};
