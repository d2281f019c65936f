/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads JSON (RFC 8259), by json-c. Its header and that of what writes JSON (json.h) cannot stand in one source.
 */
#ifndef ANNOT_UTIL_JSON_VALUE_H
#define ANNOT_UTIL_JSON_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_VALUE_MOST_DEPTH 32

/* A value. NULL is null, and what is not there. */
struct json_object;

enum json_value_type {
	JSON_VALUE_NULL,
	JSON_VALUE_OBJECT,
	JSON_VALUE_LIST,
	JSON_VALUE_TEXT, /* without zero bytes */
	JSON_VALUE_WHOLE, /* an int64_t */
	JSON_VALUE_FLAG,
	JSON_VALUE_OTHER,
};

/*
 * All of @text, which is UTF-8, and nothing else. Returns false if it is no JSON, or deeper than JSON_VALUE_MOST_DEPTH.
 * json_value_free() frees the value; what is taken out of it lives as long.
 */
bool json_value_parse(const char *text, size_t bytes, struct json_object **value);
void json_value_free(struct json_object *value);

enum json_value_type json_value_type(struct json_object *value);

/* Of a value of that type. */
const char *json_value_text(struct json_object *value);
int64_t json_value_whole(struct json_object *value);
bool json_value_flag(struct json_object *value);

/* Of a list: how many elements, and one of them. */
size_t json_value_nr(struct json_object *list);
struct json_object *json_value_element(struct json_object *list, size_t i);

/* Of an object; NULL has no members. */
bool json_value_has(struct json_object *object, const char *key);
struct json_object *json_value_member(struct json_object *object, const char *key);

/* Calls @see for each member of @object, until it returns another value than 0; returns that. */
int json_value_each(struct json_object *object,
		    int (*see)(const void *context, const char *key, struct json_object *value),
		    const void *context);

#endif /* ANNOT_UTIL_JSON_VALUE_H */
