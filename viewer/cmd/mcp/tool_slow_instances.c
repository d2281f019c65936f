// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "analysis/instances/slow_instances.h"
#include "cmd/words/find_names.h"
#include "cmd/mcp/tools.h"
#include "report/analysis_list.h"
#include "report/table/table_json.h"
#include "util/diag.h"

#define NO_TIME UINT64_MAX

/* What rows are written from: their table, and those of the instances that are asked for. */
struct instance_rows {
	struct table_source source;
	const struct analysis_table *table;
	const struct slow_instance *first;
};

static const struct analysis_table *instances_table(void)
{
	const struct analysis_table *table = slow_instances_analysis.tables;

	while (strcmp(table->key, "instances") != 0)
		table++;
	return table;
}

static void write_instance(struct json *json, const struct mcp_call *call, const void *context,
			   size_t i)
{
	const struct instance_rows *rows = context;
	const struct slow_instance *row = &rows->first[i];

	json_begin_object(json);
	json_key(json, "instance");
	table_json_row(json, &rows->source, rows->table, row);
	mcp_answer_span(json, "evidence", call, call->trace, row->thread, row->from_ns, row->to_ns);
	json_end_object(json);
}

/* @result has the instances. */
static int answer(struct mcp_call *call, const struct slow_instances *result,
		  const struct slow_instance *first, size_t nr)
{
	struct instance_rows rows = {
		.source = { .analyses = call->trace->analyses, .result = result },
		.table = instances_table(),
		.first = first,
	};

	return mcp_answer_rows(call, &(struct mcp_rows){
					     .key = "instances",
					     .nr = nr,
					     .write = write_instance,
					     .context = &rows,
				     });
}

static void write_typical(struct mcp_call *call, const struct slow_instances_task *task)
{
	json_key_u64(&call->json, "typical_ns", task->typical_ns);
	json_key_u64(&call->json, "median_ns", task->median_ns);
}

/* Whatever thread has the tid: one that the kernel used twice is the one that is there at the time, or else the last. */
static int find_thread(const struct mcp_call *call, uint64_t at_ns, uint32_t *thread)
{
	uint64_t tid = mcp_number(call->arguments, "tid", 0);
	const char *then = at_ns == NO_TIME ? "" : " then";
	const struct model *model = call->trace->model;

	*thread = MODEL_NO_THREAD;
	if (!tid)
		return 0;
	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct span_table *spans = &model->threads[i].spans;

		if ((uint64_t)model->threads[i].tid == tid && spans->nr &&
		    spans->start_ns[0] <= at_ns)
			*thread = (uint32_t)i;
	}
	if (*thread == MODEL_NO_THREAD)
		return diag_error("no thread %" PRIu64 " has an instance%s", tid, then);
	return 0;
}

static int too_few(void)
{
	return diag_error("the task has fewer than %d instances to compare with",
			  SLOW_LEAST_INSTANCES);
}

static int answer_at(struct mcp_call *call, uint32_t task, uint64_t at_ns)
{
	const struct mcp_trace *trace = call->trace;
	struct slow_instances slow;
	uint32_t thread;
	int status;

	if (find_thread(call, at_ns, &thread))
		return -1;
	slow = slow_instances_at(trace->model, trace->stats, task, at_ns, thread);
	if (slow.nr_tasks)
		write_typical(call, slow.tasks);
	if (slow.nr_instances)
		status = answer(call, &slow, slow.instances, slow.nr_instances);
	else if (slow.nr_tasks)
		status = diag_error("no instance of the task is at that time");
	else
		status = too_few();
	slow_instances_free(&slow);
	return status;
}

/* Those of one task stand behind each other. */
static int answer_of(struct mcp_call *call, const struct slow_instances *slow, uint32_t task)
{
	if (task == NO_TASK)
		return answer(call, slow, slow->instances, slow->nr_instances);
	for (size_t i = 0; i < slow->nr_tasks; i++) {
		const struct slow_instances_task *row = &slow->tasks[i];

		if (row->task != task)
			continue;
		write_typical(call, row);
		return answer(call, slow, slow->instances + row->first_instance, row->nr_shown);
	}
	if (!slow_instances_are_enough(call->trace->model, call->trace->stats, task))
		return too_few();
	return answer(call, slow, slow->instances, 0);
}

static int answer_slowest(struct mcp_call *call, uint32_t task)
{
	const struct mcp_trace *trace = call->trace;
	struct slow_instances slow;
	uint32_t thread;
	int status;

	if (find_thread(call, NO_TIME, &thread))
		return -1;
	if (thread == MODEL_NO_THREAD)
		return answer_of(call, analyses_result(trace->analyses, &slow_instances_analysis),
				 task);
	slow = slow_instances_of_thread(trace->model, trace->stats, thread);
	status = answer_of(call, &slow, task);
	slow_instances_free(&slow);
	return status;
}

/* By name, as there may be a task of work that has it, too. */
static bool has_task(const struct mcp_trace *trace, const char *name, enum trace_span_kind kind)
{
	for (size_t i = 0; i < trace->stats->nr_tasks; i++) {
		const struct task *task = &trace->stats->tasks[i];

		if (task->kind == kind &&
		    !strcmp(trace_string(trace->model->trace, task->name), name))
			return true;
	}
	return false;
}

static int find_task(const struct mcp_trace *trace, const char *name, uint32_t *task)
{
	uint32_t id;

	if (has_task(trace, name, TRACE_SPAN_WAIT) && !has_task(trace, name, TRACE_SPAN_WORK))
		return diag_error("'%.64s' is a wait: only instances of work are compared", name);
	if (find_task_name(trace->model, name, strlen(name), &id))
		return -1;
	*task = task_stats_find(trace->stats, id, TRACE_SPAN_WORK);
	return 0;
}

static int find(struct mcp_call *call)
{
	const char *name = mcp_text(call->arguments, "task");
	uint64_t at_ns = mcp_number(call->arguments, "at_ns", NO_TIME);
	uint32_t task = NO_TASK;

	if (name && find_task(call->trace, name, &task))
		return -1;
	if (at_ns == NO_TIME)
		return answer_slowest(call, task);
	if (task == NO_TASK)
		return diag_error("the argument 'at_ns' needs 'task'");
	return answer_at(call, task, at_ns);
}

static const struct mcp_argument arguments[] = {
	MCP_TRACE_ARGUMENT,
	{ "task", MCP_TEXT, false, "The name of a task; default: all that have slow instances." },
	{ "at_ns", MCP_NUMBER, false,
	  "A moment, since the start of the trace: the task's instances then, slow or not; default: the slowest." },
	{ "tid", MCP_NUMBER, false, "Instances of this thread alone." },
	MCP_CURSOR_ARGUMENT,
	{ 0 },
};

const struct mcp_tool mcp_tool_slow_instances = {
	.name = "slow_instances",
	.title = "Why an instance was slow",
	.description =
		"Tells why instances of a task of work took longer than typical ones (the middle half): how much "
		"longer (extra_ns), and its parts without a rest: more instructions, misses, a busy SMT sibling, "
		"a lower frequency, interrupts, spinning, preempted, woken late, blocked (and on what).",
	.arguments = arguments,
	.call = find,
};
