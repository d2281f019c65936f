/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tools of annot mcp are given: declared once, for the schema that clients read and for the check of what they
 * send.
 */
#ifndef ANNOT_MCP_ARGUMENTS_H
#define ANNOT_MCP_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/text/json.h"
#include "util/text/json_value.h"

enum mcp_type {
	MCP_TEXT,
	MCP_TEXTS, /* a list */
	MCP_NUMBER, /* whole, and not negative */
	MCP_FLAG,
};

struct mcp_argument {
	const char *name; /* NULL: the end */
	enum mcp_type type;
	bool is_required;
	const char *meaning; /* a sentence */
};

/* "inputSchema", a member of the object that @json is in. */
void mcp_arguments_schema(struct json *json, const struct mcp_argument *arguments);

/* Whether @given, an object or NULL, is so. Returns 0, or -1 after one line on stderr. */
int mcp_arguments_check(const struct mcp_argument *arguments, struct json_object *given);

/* NULL if it is not given. */
const char *mcp_text(struct json_object *given, const char *name);

/* @otherwise if it is not given. */
uint64_t mcp_number(struct json_object *given, const char *name, uint64_t otherwise);

/* False if it is not given. */
bool mcp_flag(struct json_object *given, const char *name);

/* How many texts there are in a list, and one of them. */
size_t mcp_nr_texts(struct json_object *given, const char *name);
const char *mcp_text_of(struct json_object *given, const char *name, size_t i);

#endif /* ANNOT_MCP_ARGUMENTS_H */
