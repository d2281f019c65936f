// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/arguments.h"

#include <string.h>

#include "util/diag.h"

static const char *const type_names[] = {
	[MCP_TEXT] = "string",
	[MCP_TEXTS] = "array",
	[MCP_NUMBER] = "integer",
	[MCP_FLAG] = "boolean",
};

static void write_argument(struct json *json, const struct mcp_argument *argument)
{
	json_key(json, argument->name);
	json_begin_object(json);
	json_key_string(json, "type", type_names[argument->type]);
	if (argument->type == MCP_NUMBER)
		json_key_u64(json, "minimum", 0);
	if (argument->type == MCP_TEXTS) {
		json_key(json, "items");
		json_begin_object(json);
		json_key_string(json, "type", type_names[MCP_TEXT]);
		json_end_object(json);
	}
	json_key_string(json, "description", argument->meaning);
	json_end_object(json);
}

void mcp_arguments_schema(struct json *json, const struct mcp_argument *arguments)
{
	json_key(json, "inputSchema");
	json_begin_object(json);
	json_key_string(json, "type", "object");
	json_key(json, "properties");
	json_begin_object(json);
	for (const struct mcp_argument *argument = arguments; argument->name; argument++)
		write_argument(json, argument);
	json_end_object(json);
	json_key(json, "required");
	json_begin_array(json);
	for (const struct mcp_argument *argument = arguments; argument->name; argument++) {
		if (argument->is_required)
			json_string(json, argument->name);
	}
	json_end_array(json);
	json_key_bool(json, "additionalProperties", false);
	json_end_object(json);
}

static bool is_list_of_texts(struct json_object *value)
{
	if (json_value_type(value) != JSON_VALUE_LIST)
		return false;
	for (size_t i = 0; i < json_value_nr(value); i++) {
		if (json_value_type(json_value_element(value, i)) != JSON_VALUE_TEXT)
			return false;
	}
	return true;
}

static bool fits(enum mcp_type type, struct json_object *value)
{
	switch (type) {
	case MCP_TEXT:
		return json_value_type(value) == JSON_VALUE_TEXT;
	case MCP_TEXTS:
		return is_list_of_texts(value);
	case MCP_NUMBER:
		return json_value_type(value) == JSON_VALUE_WHOLE && json_value_whole(value) >= 0;
	case MCP_FLAG:
		return json_value_type(value) == JSON_VALUE_FLAG;
	}
	return false;
}

static const struct mcp_argument *find(const struct mcp_argument *arguments, const char *name)
{
	for (; arguments->name; arguments++) {
		if (!strcmp(arguments->name, name))
			return arguments;
	}
	return NULL;
}

static int check_argument(const void *context, const char *name, struct json_object *value)
{
	const struct mcp_argument *argument = find(context, name);

	if (!argument)
		return diag_error("no such argument: '%.64s'", name);
	if (!fits(argument->type, value))
		return diag_error("the argument '%s' is not of type %s%s", name,
				  type_names[argument->type],
				  argument->type == MCP_NUMBER ? ", or too large" : "");
	return 0;
}

int mcp_arguments_check(const struct mcp_argument *arguments, struct json_object *given)
{
	for (const struct mcp_argument *argument = arguments; argument->name; argument++) {
		if (argument->is_required && !json_value_has(given, argument->name))
			return diag_error("the argument '%s' is missing", argument->name);
	}
	return given ? json_value_each(given, check_argument, arguments) : 0;
}

const char *mcp_text(struct json_object *given, const char *name)
{
	struct json_object *value = json_value_member(given, name);

	return value ? json_value_text(value) : NULL;
}

uint64_t mcp_number(struct json_object *given, const char *name, uint64_t otherwise)
{
	struct json_object *value = json_value_member(given, name);

	return value ? (uint64_t)json_value_whole(value) : otherwise;
}

bool mcp_flag(struct json_object *given, const char *name)
{
	struct json_object *value = json_value_member(given, name);

	return value && json_value_flag(value);
}

size_t mcp_nr_texts(struct json_object *given, const char *name)
{
	struct json_object *value = json_value_member(given, name);

	return value ? json_value_nr(value) : 0;
}

const char *mcp_text_of(struct json_object *given, const char *name, size_t i)
{
	return json_value_text(json_value_element(json_value_member(given, name), i));
}
