// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/tools.h"

#define MOST_LISTED 8 /* threads and CPUs of one finding */

static size_t at_most(size_t nr)
{
	return nr < MOST_LISTED ? nr : MOST_LISTED;
}

static void write_threads(struct json *json, const struct model *model,
			  const struct finding *finding)
{
	json_key_u64(json, "nr_threads", finding->nr_threads);
	json_key(json, "tids");
	json_begin_array(json);
	for (size_t i = 0; i < at_most(finding->nr_threads); i++)
		json_i64(json, model->threads[finding->threads[i]].tid);
	json_end_array(json);
}

static void write_cpus(struct json *json, const struct finding *finding)
{
	json_key_u64(json, "nr_cpus", finding->nr_cpus);
	json_key(json, "cpus");
	json_begin_array(json);
	for (size_t i = 0; i < at_most(finding->nr_cpus); i++)
		json_i64(json, finding->cpus[i]);
	json_end_array(json);
}

static void write_finding(struct json *json, const struct mcp_call *call, const void *context,
			  size_t i)
{
	const struct finding *finding = &call->trace->analyses->findings.rows[i];

	(void)context;
	json_begin_object(json);
	analyses_json_finding(json, call->trace->model, finding);
	json_key(json, "evidence");
	json_begin_object(json);
	mcp_answer_interval(json, call, call->trace, finding->from_ns, finding->to_ns);
	write_threads(json, call->trace->model, finding);
	write_cpus(json, finding);
	json_end_object(json);
	analyses_json_caveats(json, finding);
	json_end_object(json);
}

static int list(struct mcp_call *call)
{
	const struct findings *findings = &call->trace->analyses->findings;

	mcp_answer_losses(&call->json, "note", call->trace);
	json_key(&call->json, "session");
	json_begin_object(&call->json);
	mcp_answer_interval(&call->json, call, call->trace, findings->session_from_ns,
			    findings->session_to_ns);
	json_end_object(&call->json);
	return mcp_answer_rows(call, &(struct mcp_rows){
					     .key = "findings",
					     .nr = findings->nr,
					     .write = write_finding,
				     });
}

static const struct mcp_argument arguments[] = {
	MCP_TRACE_ARGUMENT,
	MCP_CURSOR_ARGUMENT,
	{ 0 },
};

const struct mcp_tool mcp_tool_findings = {
	.name = "findings",
	.title = "What cost time",
	.description =
		"Lists the findings of a recording, the most costly first: each with the time lost, how "
		"sure it is, what may be wrong with it, and where it shows best. Do not add up their times. "
		"Begin with this; the tool explain tells what a kind means and what helps.",
	.arguments = arguments,
	.call = list,
};
