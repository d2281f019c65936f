/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tools of annot mcp: each is described in a source of its own, viewer/cmd/mcp/tool_NAME.c.
 */
#ifndef ANNOT_MCP_TOOLS_H
#define ANNOT_MCP_TOOLS_H

#include "cmd/mcp/answer.h"

struct mcp_tool {
	const char *name;
	const char *title; /* a few words */
	const char *description; /* what it answers, for who chooses between tools */
	const struct mcp_argument *arguments;
	/* Writes members of the answer. Returns 0, or -1 after one line on stderr. */
	int (*call)(struct mcp_call *call);
};

#define MCP_TOOL_EACH(X)  \
	X(traces)         \
	X(findings)       \
	X(explain)        \
	X(tasks)          \
	X(slow_instances) \
	X(what_if)        \
	X(compare)

#define MCP_TOOL_DECLARE(name) extern const struct mcp_tool mcp_tool_##name;
MCP_TOOL_EACH(MCP_TOOL_DECLARE)
#undef MCP_TOOL_DECLARE

/* "tools": a member of the object that @json is in. */
void mcp_tools_write(struct json *json);

/* NULL: there is none of that name. */
const struct mcp_tool *mcp_tool_find(const char *name);

/*
 * What @tool answers, as text; free() it. *@is_error: it is what is wrong with the question. @arguments: an object, or NULL.
 */
char *mcp_tool_call(const struct mcp_tool *tool, struct mcp_traces *traces,
		    struct json_object *arguments, bool *is_error);

#endif /* ANNOT_MCP_TOOLS_H */
