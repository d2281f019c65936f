// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/rpc.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/mcp/tools.h"
#include "util/text/json_value.h"
#include "util/xalloc.h"

enum rpc_error {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_METHOD_NOT_FOUND = -32601,
	RPC_INVALID_PARAMS = -32602,
};

/* The newest first. That of 2025-03-26 is left out: it has batches. */
static const char *const versions[] = { "2025-11-25", "2025-06-18", "2024-11-05", NULL };

/* A request, and its answer as far as it is written. */
struct rpc {
	struct mcp_traces *traces;
	struct json_object *id; /* NULL: not known */
	struct json_object *params; /* an object, or NULL */
	struct json json;
};

static struct json_object *member(struct json_object *object, const char *key)
{
	return json_value_member(object, key);
}

static bool is_text(struct json_object *value)
{
	return json_value_type(value) == JSON_VALUE_TEXT;
}

static bool is_object(struct json_object *value)
{
	return json_value_type(value) == JSON_VALUE_OBJECT;
}

static bool is_id(struct json_object *id)
{
	return is_text(id) || json_value_type(id) == JSON_VALUE_WHOLE;
}

static void begin_answer(struct rpc *rpc)
{
	struct json *json = &rpc->json;

	json_begin_object(json);
	json_key_string(json, "jsonrpc", "2.0");
	json_key(json, "id");
	if (is_text(rpc->id))
		json_string(json, json_value_text(rpc->id));
	else if (rpc->id)
		json_i64(json, json_value_whole(rpc->id));
	else
		json_null(json);
}

static void answer_error(struct rpc *rpc, enum rpc_error code, const char *message)
{
	begin_answer(rpc);
	json_key(&rpc->json, "error");
	json_begin_object(&rpc->json);
	json_key(&rpc->json, "code");
	json_i64(&rpc->json, code);
	json_key_string(&rpc->json, "message", message);
	json_end_object(&rpc->json);
	json_end_object(&rpc->json);
}

static void begin_result(struct rpc *rpc)
{
	begin_answer(rpc);
	json_key(&rpc->json, "result");
	json_begin_object(&rpc->json);
}

static void end_result(struct rpc *rpc)
{
	json_end_object(&rpc->json);
	json_end_object(&rpc->json);
}

/* That of the client, if it is known here; else the newest. */
static const char *choose_version(struct json_object *wanted)
{
	for (size_t i = 0; is_text(wanted) && versions[i]; i++) {
		if (!strcmp(versions[i], json_value_text(wanted)))
			return versions[i];
	}
	return versions[0];
}

static void initialize(struct rpc *rpc)
{
	struct json_object *version = member(rpc->params, "protocolVersion");

	if (!is_text(version)) {
		answer_error(rpc, RPC_INVALID_PARAMS, "protocolVersion is missing");
		return;
	}
	begin_result(rpc);
	json_key_string(&rpc->json, "protocolVersion", choose_version(version));
	json_key(&rpc->json, "capabilities");
	json_begin_object(&rpc->json);
	json_key(&rpc->json, "tools");
	json_begin_object(&rpc->json);
	json_end_object(&rpc->json);
	json_end_object(&rpc->json);
	json_key(&rpc->json, "serverInfo");
	json_begin_object(&rpc->json);
	json_key_string(&rpc->json, "name", "annot");
	json_key_string(&rpc->json, "version", ANNOT_VERSION);
	json_end_object(&rpc->json);
	json_key_string(
		&rpc->json, "instructions",
		"Answers questions about recordings of parallel programs. Begin with findings. Times that end in "
		"_ns are since the start of the trace; 'page' is where the page that annot html makes shows it.");
	end_result(rpc);
}

static void ping(struct rpc *rpc)
{
	begin_result(rpc);
	end_result(rpc);
}

static void list_tools(struct rpc *rpc)
{
	if (member(rpc->params, "cursor")) {
		answer_error(rpc, RPC_INVALID_PARAMS, "no such cursor: all tools are on one page");
		return;
	}
	begin_result(rpc);
	mcp_tools_write(&rpc->json);
	end_result(rpc);
}

/* What the client wants to be told of a call while it takes long is sent with its token. */
static struct json_object *progress_token(struct rpc *rpc)
{
	struct json_object *meta = member(rpc->params, "_meta");
	struct json_object *token = is_object(meta) ? member(meta, "progressToken") : NULL;

	return is_id(token) ? token : NULL;
}

static void write_content(struct rpc *rpc, const struct mcp_tool *tool)
{
	struct mcp_progress *progress = &rpc->traces->progress;
	bool is_error;
	char *text;

	progress->token = progress_token(rpc);
	progress->nr_begun = 0;
	text = mcp_tool_call(tool, rpc->traces, member(rpc->params, "arguments"), &is_error);
	progress->token = NULL;
	begin_result(rpc);
	json_key(&rpc->json, "content");
	json_begin_array(&rpc->json);
	json_begin_object(&rpc->json);
	json_key_string(&rpc->json, "type", "text");
	json_key_string(&rpc->json, "text", text);
	json_end_object(&rpc->json);
	json_end_array(&rpc->json);
	json_key_bool(&rpc->json, "isError", is_error);
	end_result(rpc);
	free(text);
}

static void call_tool(struct rpc *rpc)
{
	struct json_object *name = member(rpc->params, "name");
	struct json_object *arguments = member(rpc->params, "arguments");
	const struct mcp_tool *tool = is_text(name) ? mcp_tool_find(json_value_text(name)) : NULL;

	if (!tool)
		answer_error(rpc, RPC_INVALID_PARAMS, "no such tool: tools/list lists all");
	else if (arguments && !is_object(arguments))
		answer_error(rpc, RPC_INVALID_PARAMS, "arguments are no object");
	else
		write_content(rpc, tool);
}

static const struct {
	const char *name;
	void (*answer)(struct rpc *rpc);
} methods[] = {
	{ "initialize", initialize },
	{ "ping", ping },
	{ "tools/list", list_tools },
	{ "tools/call", call_tool },
};

static void answer_method(struct rpc *rpc, const char *name)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		if (!strcmp(methods[i].name, name)) {
			methods[i].answer(rpc);
			return;
		}
	}
	answer_error(rpc, RPC_METHOD_NOT_FOUND, "no such method");
}

static bool is_request(struct json_object *message)
{
	struct json_object *version = member(message, "jsonrpc");

	return is_text(version) && !strcmp(json_value_text(version), "2.0") &&
	       is_text(member(message, "method"));
}

/* A notification has no id: nothing is due, whatever it says. Nor is it to an answer, as nothing was asked. */
static bool is_due(struct json_object *message)
{
	if (is_request(message))
		return json_value_has(message, "id");
	return !member(message, "result") && !member(message, "error");
}

static void answer_object(struct rpc *rpc, struct json_object *message)
{
	struct json_object *params = member(message, "params");

	rpc->id = is_id(member(message, "id")) ? member(message, "id") : NULL;
	rpc->params = params;
	if (!is_request(message) || !rpc->id)
		answer_error(rpc, RPC_INVALID_REQUEST, "not a request of JSON-RPC 2.0 with an id");
	else if (params && !is_object(params))
		answer_error(rpc, RPC_INVALID_PARAMS, "params are no object");
	else
		answer_method(rpc, json_value_text(member(message, "method")));
}

static char *answer_with(struct rpc *rpc, struct json_object *message, const char *wrong)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = xmemstream(&text, &bytes);

	json_init(&rpc->json, out, JSON_COMPACT);
	if (wrong)
		answer_error(rpc, RPC_PARSE_ERROR, wrong);
	else if (is_object(message))
		answer_object(rpc, message);
	else
		answer_error(rpc, RPC_INVALID_REQUEST, "not an object: one message a line");
	fclose(out);
	return text;
}

char *mcp_rpc_answer(struct mcp_traces *traces, const char *line, size_t bytes)
{
	struct rpc rpc = { .traces = traces };
	struct json_object *message;
	char *answer = NULL;

	if (!json_value_parse(line, bytes, &message))
		return answer_with(&rpc, NULL, "not JSON");
	if (!is_object(message) || is_due(message))
		answer = answer_with(&rpc, message, NULL);
	json_value_free(message);
	return answer;
}

char *mcp_rpc_too_long(void)
{
	struct rpc rpc = { 0 };

	_Static_assert(MCP_LINE_BYTES == 1 << 20, "the message has the number");
	return answer_with(&rpc, NULL, "the message is longer than 1 MiB");
}
