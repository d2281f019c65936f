/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answers of tools: an object of JSON as text, of limited length. Rows that have no room are on further pages, which a
 * cursor asks for.
 */
#ifndef ANNOT_MCP_ANSWER_H
#define ANNOT_MCP_ANSWER_H

#include "cmd/mcp/arguments.h"
#include "cmd/mcp/traces.h"

/* 2000 tokens, at two bytes for each: tokenizers take fewer for JSON. */
#define MCP_ANSWER_BYTES 4000

/* A tool that is called. */
struct mcp_call {
	struct mcp_traces *traces;
	struct mcp_trace *trace; /* that it is about, and was read; NULL: none */
	struct json_object *arguments; /* checked; NULL: none */
	struct json json; /* the object of the answer is open */
	FILE *out; /* where that goes, from its start on */
};

/* Of an answer that has no others. */
struct mcp_rows {
	const char *key;
	size_t nr;
	/* Row @i, one value, a short one. */
	void (*write)(struct json *json, const struct mcp_call *call, const void *context,
		      size_t i);
	const void *context;
};

/* For the list of a tool's arguments. */
#define MCP_TRACE_ARGUMENT                                                            \
	{                                                                             \
		"trace", MCP_NUMBER, false, "The trace's number, from 1; default: 1." \
	}
#define MCP_CURSOR_ARGUMENT                                                                       \
	{                                                                                         \
		"cursor", MCP_TEXT, false, "The next_cursor of the answer before, for more rows." \
	}

/* The trace whose number @argument has, read; NULL after one line on stderr. */
struct mcp_trace *mcp_call_trace(const struct mcp_call *call, const char *argument,
				 uint64_t otherwise);

/*
 * Writes as many rows as there is room for, from the cursor on, how many there are in all, and where to go on. Returns 0, or
 * -1 after one line on stderr: the cursor is none of this tool.
 */
int mcp_answer_rows(struct mcp_call *call, const struct mcp_rows *rows);

/* A note as a member of the object that @json is in, if @trace lacks anything. */
void mcp_answer_losses(struct json *json, const char *key, const struct mcp_trace *trace);

/* Evidence: an interval of @trace. Members of the object that @json is in. */
void mcp_answer_interval(struct json *json, const struct mcp_call *call,
			 const struct mcp_trace *trace, uint64_t from_ns, uint64_t to_ns);

/* The same as an object, with the thread. */
void mcp_answer_span(struct json *json, const char *key, const struct mcp_call *call,
		     const struct mcp_trace *trace, uint32_t thread, uint64_t from_ns,
		     uint64_t to_ns);

#endif /* ANNOT_MCP_ANSWER_H */
