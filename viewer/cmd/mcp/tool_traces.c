// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/tools.h"
#include "trace/trace_losses.h"

/* What is known without having read it; what it lacks is known once something was asked about it. */
static void write_trace(struct json *json, const struct mcp_call *call, const void *context,
			size_t i)
{
	const struct mcp_trace *trace = &call->traces->rows[i];
	const struct trace_info *info = trace_info(trace->trace);
	const struct trace_losses losses = trace_losses_of(trace->trace);

	(void)context;
	json_begin_object(json);
	json_key_u64(json, "trace", trace->number);
	json_key_string(json, "file", info->path);
	json_key_string(json, "clock", info->clock);
	json_key_bool(json, "truncated", info->truncated);
	json_key_known_u64(json, "lost_events", trace->model, losses.nr_events);
	json_key_known_u64(json, "lost_gaps", trace->model, losses.nr_gaps);
	json_key_known_u64(json, "lost_annotations", trace->model, losses.nr_annotations);
	json_end_object(json);
}

static int list(struct mcp_call *call)
{
	return mcp_answer_rows(call, &(struct mcp_rows){
					     .key = "traces",
					     .nr = call->traces->nr,
					     .write = write_trace,
				     });
}

static const struct mcp_argument arguments[] = { MCP_CURSOR_ARGUMENT, { 0 } };

const struct mcp_tool mcp_tool_traces = {
	.name = "traces",
	.title = "Open traces",
	.description =
		"Lists the recordings that can be asked about, with their numbers, and what was lost in them (null: not read so far).",
	.arguments = arguments,
	.call = list,
};
