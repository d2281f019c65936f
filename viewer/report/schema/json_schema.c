// SPDX-License-Identifier: GPL-2.0
#include "report/schema/json_schema.h"

#include <string.h>

static const char *const type_names[] = {
	[SCHEMA_TEXT] = "string",   [SCHEMA_FLAG] = "boolean",	[SCHEMA_COUNT] = "integer",
	[SCHEMA_WHOLE] = "integer", [SCHEMA_NUMBER] = "number", [SCHEMA_OBJECT] = "object",
};

/* By the last word of a key. */
static const struct {
	const char *word;
	const char *unit;
} units[] = {
	{ "ns", "ns" }, { "us", "us" },	  { "bytes", "bytes" },
	{ "pct", "%" }, { "mhz", "MHz" }, { "ghz", "GHz" },
};

static const char *unit_of(const char *key)
{
	const char *last = strrchr(key, '_');
	const char *word = last ? last + 1 : key;

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!strcmp(word, units[i].word))
			return units[i].unit;
	}
	return NULL;
}

static void write_description(struct json *json, const struct schema_member *member)
{
	const char *unit = unit_of(member->key);
	char text[512];

	snprintf(text, sizeof(text), "%s%s%s%s%s%s", member->meaning, member->more ? " " : "",
		 member->more ? member->more : "", unit ? " Unit: " : "", unit ? unit : "",
		 unit ? "." : "");
	json_key_string(json, "description", text);
}

static void write_type(struct json *json, const char *name, bool may_be_null)
{
	json_key(json, "type");
	if (!may_be_null) {
		json_string(json, name);
		return;
	}
	json_begin_array(json);
	json_string(json, name);
	json_string(json, "null");
	json_end_array(json);
}

static void write_words(struct json *json, const char *const *words, bool may_be_null)
{
	json_key(json, "enum");
	json_begin_array(json);
	for (; *words; words++)
		json_string(json, *words);
	if (may_be_null)
		json_null(json);
	json_end_array(json);
}

void json_schema_members(struct json *json, const struct schema_member *members)
{
	for (; members->key || members->members; members++) {
		if (!members->key) {
			json_schema_members(json, members->members);
			continue;
		}
		json_key(json, members->key);
		json_begin_object(json);
		json_schema_member(json, members);
		json_end_object(json);
	}
}

void json_schema_required(struct json *json, const struct schema_member *members)
{
	for (; members->key || members->members; members++) {
		if (!members->key)
			json_schema_required(json, members->members);
		else if (!(members->around & SCHEMA_OPTIONAL))
			json_string(json, members->key);
	}
}

/* But its type. */
static void write_object(struct json *json, const struct schema_member *members)
{
	json_key(json, "properties");
	json_begin_object(json);
	json_schema_members(json, members);
	json_end_object(json);
	json_key(json, "required");
	json_begin_array(json);
	json_schema_required(json, members);
	json_end_array(json);
	json_key_bool(json, "additionalProperties", false);
}

void json_schema_object(struct json *json, const struct schema_member *members)
{
	write_type(json, type_names[SCHEMA_OBJECT], false);
	write_object(json, members);
}

static void write_value(struct json *json, const struct schema_member *member, bool may_be_null)
{
	write_type(json, type_names[member->type], may_be_null);
	if (member->type == SCHEMA_COUNT)
		json_key_u64(json, "minimum", 0);
	if (member->words)
		write_words(json, member->words, may_be_null);
	if (member->type == SCHEMA_OBJECT)
		write_object(json, member->members);
}

/* What is around the value: @around without what is around that. */
static void write_around(struct json *json, const struct schema_member *member, unsigned int around)
{
	bool is_list = around & (SCHEMA_LIST | SCHEMA_LISTS);
	unsigned int inside = around & SCHEMA_NULL_INSIDE ? SCHEMA_NULL : 0;
	bool may_be_null = around & SCHEMA_NULL;

	if (!is_list && !(around & SCHEMA_BY_NAME)) {
		write_value(json, member, may_be_null);
		return;
	}
	if (around & SCHEMA_LISTS)
		inside = SCHEMA_LIST | (around & SCHEMA_NULL_INSIDE);
	write_type(json, is_list ? "array" : "object", may_be_null);
	json_key(json, is_list ? "items" : "additionalProperties");
	json_begin_object(json);
	write_around(json, member, inside);
	json_end_object(json);
}

void json_schema_member(struct json *json, const struct schema_member *member)
{
	write_description(json, member);
	write_around(json, member, member->around);
}
