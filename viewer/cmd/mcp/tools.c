// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/tools.h"

#include <stdlib.h>
#include <string.h>

#include "util/diag.h"
#include "util/xalloc.h"

#define TOOL_POINTER(name) &mcp_tool_##name,
static const struct mcp_tool *const tools[] = { MCP_TOOL_EACH(TOOL_POINTER) NULL };

static void write_tool(struct json *json, const struct mcp_tool *tool)
{
	json_begin_object(json);
	json_key_string(json, "name", tool->name);
	json_key_string(json, "title", tool->title);
	json_key_string(json, "description", tool->description);
	mcp_arguments_schema(json, tool->arguments);
	json_key(json, "annotations");
	json_begin_object(json);
	json_key_bool(json, "readOnlyHint", true);
	json_key_bool(json, "openWorldHint", false);
	json_end_object(json);
	json_end_object(json);
}

void mcp_tools_write(struct json *json)
{
	json_key(json, "tools");
	json_begin_array(json);
	for (size_t i = 0; tools[i]; i++)
		write_tool(json, tools[i]);
	json_end_array(json);
}

const struct mcp_tool *mcp_tool_find(const char *name)
{
	for (size_t i = 0; tools[i]; i++) {
		if (!strcmp(tools[i]->name, name))
			return tools[i];
	}
	return NULL;
}

static bool is_about_a_trace(const struct mcp_tool *tool)
{
	for (const struct mcp_argument *argument = tool->arguments; argument->name; argument++) {
		if (!strcmp(argument->name, "trace"))
			return true;
	}
	return false;
}

static int choose_trace(struct mcp_call *call)
{
	call->trace = mcp_call_trace(call, "trace", 1);
	return call->trace ? 0 : -1;
}

static int call_tool(const struct mcp_tool *tool, struct mcp_call *call)
{
	int status;

	if (mcp_arguments_check(tool->arguments, call->arguments))
		return -1;
	if (is_about_a_trace(tool) && choose_trace(call))
		return -1;
	json_init(&call->json, call->out, JSON_COMPACT);
	json_begin_object(&call->json);
	if (call->trace)
		json_key_u64(&call->json, "trace", call->trace->number);
	status = tool->call(call);
	json_end_object(&call->json);
	return status;
}

/* Without the newline; what is too long ends in "...". */
static void make_fit(char *text)
{
	size_t length = strlen(text);

	if (length && text[length - 1] == '\n')
		text[length - 1] = '\0';
	if (length > MCP_ANSWER_BYTES)
		strcpy(text + MCP_ANSWER_BYTES - strlen("..."), "...");
}

char *mcp_tool_call(const struct mcp_tool *tool, struct mcp_traces *traces,
		    struct json_object *arguments, bool *is_error)
{
	char *answer = NULL, *wrong = NULL;
	size_t answer_bytes, wrong_bytes;
	struct mcp_call call = {
		.traces = traces,
		.arguments = arguments,
		.out = xmemstream(&answer, &answer_bytes),
	};
	FILE *errors = xmemstream(&wrong, &wrong_bytes);

	diag_divert_errors(errors);
	*is_error = call_tool(tool, &call);
	diag_divert_errors(NULL);
	fclose(call.out);
	fclose(errors);
	if (*is_error) {
		free(answer);
		make_fit(wrong);
		return wrong;
	}
	free(wrong);
	return answer;
}
