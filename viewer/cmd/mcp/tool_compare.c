// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "cmd/files/diffed_trace.h"
#include "cmd/mcp/longest_span.h"
#include "cmd/mcp/tools.h"
#include "report/diff/diff_json.h"
#include "report/diff/diff_text.h"
#include "report/diff/why_report.h"

static const char *const side_keys[] = { "before", "after" };
static const char *const note_keys[] = { "before_note", "after_note" };

struct compared {
	const struct diff *diff;
	const struct mcp_trace *sides[2];
	struct why_report why;
};

static const struct task *task_of(const struct mcp_trace *trace, const struct diff_task *wanted)
{
	for (size_t i = 0; i < trace->stats->nr_tasks; i++) {
		const struct task *task = &trace->stats->tasks[i];

		if (task->kind == wanted->kind &&
		    !strcmp(trace_string(trace->model->trace, task->name), wanted->name))
			return task;
	}
	return NULL;
}

/* Its longest instance in a trace: evidence. */
static void write_longest(struct json *json, const struct mcp_call *call,
			  const struct compared *compared, const struct diff_task *task)
{
	static const char *const keys[] = { "longest_before", "longest_after" };

	for (int side = 0; side < 2; side++) {
		const struct mcp_trace *trace = compared->sides[side];
		const struct task *own = task_of(trace, task);
		struct longest_span longest;

		if (own && longest_span_find(trace->model, own, &longest))
			mcp_answer_span(json, keys[side], call, trace, longest.thread,
					longest.from_ns, longest.to_ns);
	}
}

/* The worst of the kind in a trace: the first. */
static void write_worst(struct json *json, const struct mcp_call *call,
			const struct compared *compared, enum finding_kind kind)
{
	static const char *const keys[] = { "worst_before", "worst_after" };

	for (int side = 0; side < 2; side++) {
		const struct mcp_trace *trace = compared->sides[side];
		const struct findings *findings = &trace->analyses->findings;
		size_t i = 0;

		while (i < findings->nr && findings->rows[i].kind != kind)
			i++;
		if (i == findings->nr)
			continue;
		json_key(json, keys[side]);
		json_begin_object(json);
		mcp_answer_interval(json, call, trace, findings->rows[i].from_ns,
				    findings->rows[i].to_ns);
		json_end_object(json);
	}
}

/* What the change of its mean instance is made of, if both traces have the task. */
static void write_why(struct json *json, const struct compared *compared,
		      const struct diff_task *wanted)
{
	const struct whys *whys = compared->why.whys;

	for (size_t i = 0; i < whys->nr_tasks; i++) {
		const struct why_task *task = &whys->tasks[i];
		char *sentence;

		if (task->kind != wanted->kind ||
		    strcmp(string_table_get(whys->runs->names, task->name), wanted->name))
			continue;
		sentence = why_report_sentence(&compared->why, task);
		json_key_text(json, "why", sentence);
		free(sentence);
	}
}

static void write_finding(struct json *json, const struct mcp_call *call,
			  const struct compared *compared, const struct diff_finding *finding)
{
	json_key(json, "finding");
	json_begin_object(json);
	diff_json_finding(json, finding);
	json_end_object(json);
	write_worst(json, call, compared, finding->kind);
}

static void write_task(struct json *json, const struct mcp_call *call,
		       const struct compared *compared, const struct diff_task *task)
{
	json_key(json, "task");
	json_begin_object(json);
	diff_json_task(json, task);
	json_end_object(json);
	write_why(json, compared, task);
	write_longest(json, call, compared, task);
}

static void write_path_line(struct json *json, const struct compared *compared, size_t i)
{
	json_key(json, "critical_path");
	why_report_line_json(&compared->why, &compared->why.whys->path_lines[i], json);
}

/* Findings, then tasks, then what is on the critical path. */
static void write_row(struct json *json, const struct mcp_call *call, const void *context, size_t i)
{
	const struct compared *compared = context;
	const struct diff *diff = compared->diff;
	size_t nr_before_path = diff->nr_findings + diff->nr_tasks;

	json_begin_object(json);
	if (i < diff->nr_findings)
		write_finding(json, call, compared, &diff->findings[i]);
	else if (i < nr_before_path)
		write_task(json, call, compared, &diff->tasks[i - diff->nr_findings]);
	else
		write_path_line(json, compared, i - nr_before_path);
	json_end_object(json);
}

static void write_head(struct mcp_call *call, const struct compared *compared)
{
	struct json *json = &call->json;
	char *verdict = diff_verdict(compared->diff);

	for (int side = 0; side < 2; side++)
		json_key_u64(json, side_keys[side], compared->sides[side]->number);
	json_key_text(json, "verdict", verdict);
	free(verdict);
	json_key_bool(json, "stands_out", compared->diff->stands_out);
	json_key_u64(json, "before_session_ns", compared->diff->session_ns[0]);
	json_key_u64(json, "after_session_ns", compared->diff->session_ns[1]);
	for (int side = 0; side < 2; side++)
		mcp_answer_losses(json, note_keys[side], compared->sides[side]);
}

static int write_answer(struct mcp_call *call, const struct compared *compared)
{
	const struct diff *diff = compared->diff;

	write_head(call, compared);
	return mcp_answer_rows(call, &(struct mcp_rows){
					     .key = "rows",
					     .nr = diff->nr_findings + diff->nr_tasks +
						   why_report_nr_lines(&compared->why),
					     .write = write_row,
					     .context = compared,
				     });
}

static struct run_figures figures_of(const struct mcp_trace *trace, struct string_table *names)
{
	const struct diffed_trace diffed = { trace->trace, trace->model, trace->stats,
					     trace->analyses };

	return diffed_trace_figures(&diffed, names);
}

/* With the causes of what changed. */
static int write_with_why(struct mcp_call *call, struct compared *compared)
{
	struct string_table *names = string_table_new();
	struct run_figures figures[2] = { figures_of(compared->sides[0], names),
					  figures_of(compared->sides[1], names) };
	const struct runs runs = {
		.names = names,
		.nr = { 1, 1 },
		.rows = { &figures[0], &figures[1] },
	};
	struct whys whys = whys_new(&runs);
	int status;

	for (size_t i = 0; i < compared->diff->nr_tasks; i++) {
		const struct diff_task *task = &compared->diff->tasks[i];

		whys_add(&whys, string_table_intern(names, task->name, strlen(task->name)),
			 task->kind);
	}
	compared->why = (struct why_report){ &whys, true };
	status = write_answer(call, compared);
	whys_free(&whys);
	for (int side = 0; side < 2; side++)
		run_figures_free(&figures[side]);
	string_table_free(names);
	return status;
}

static int compare(struct mcp_call *call)
{
	struct diff_side sides[2];
	struct compared compared = { 0 };
	struct diff *diff;
	int status;

	for (int side = 0; side < 2; side++) {
		const struct mcp_trace *trace = mcp_call_trace(call, side_keys[side],
							       (uint64_t)side + 1);

		if (!trace)
			return -1;
		compared.sides[side] = trace;
		sides[side] = (struct diff_side){ trace->model, trace->stats,
						  &trace->analyses->findings };
	}
	diff = diff_compute(sides);
	compared.diff = diff;
	status = write_with_why(call, &compared);
	diff_free(diff);
	return status;
}

static const struct mcp_argument arguments[] = {
	{ "before", MCP_NUMBER, false, "The number of the trace before; default: 1." },
	{ "after", MCP_NUMBER, false, "The number of the trace after; default: 2." },
	MCP_CURSOR_ARGUMENT,
	{ 0 },
};

const struct mcp_tool mcp_tool_compare = {
	.name = "compare",
	.title = "Two recordings compared",
	.description =
		"Compares two recordings of one program: a verdict, then findings, tasks and the critical path, what changed "
		"most first. stands_out tells whether a change exceeds the spread over the instances; why tells what the change "
		"of a task's mean instance is made of.",
	.arguments = arguments,
	.call = compare,
};
