// SPDX-License-Identifier: GPL-2.0
#include "util/text/json_value.h"

#include <json-c/json.h>
#include <string.h>

/* Whether it is one value. A number or a name ends only with the letter behind it. */
static bool parse(struct json_tokener *tokener, const char *text, size_t bytes,
		  struct json_object **value)
{
	*value = json_tokener_parse_ex(tokener, text, (int)bytes);
	if (json_tokener_get_error(tokener) == json_tokener_continue)
		*value = json_tokener_parse_ex(tokener, "\n", 1);
	else if (json_tokener_get_parse_end(tokener) != bytes)
		return false;
	return json_tokener_get_error(tokener) == json_tokener_success;
}

bool json_value_parse(const char *text, size_t bytes, struct json_object **value)
{
	struct json_tokener *tokener = json_tokener_new_ex(JSON_VALUE_MOST_DEPTH);
	bool is_whole;

	if (!tokener)
		return false;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	is_whole = parse(tokener, text, bytes, value);
	json_tokener_free(tokener);
	if (!is_whole)
		json_object_put(*value);
	return is_whole;
}

void json_value_free(struct json_object *value)
{
	json_object_put(value);
}

static bool has_zero_byte(struct json_object *text)
{
	return strlen(json_object_get_string(text)) != (size_t)json_object_get_string_len(text);
}

enum json_value_type json_value_type(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_null:
		return JSON_VALUE_NULL;
	case json_type_object:
		return JSON_VALUE_OBJECT;
	case json_type_array:
		return JSON_VALUE_LIST;
	case json_type_string:
		return has_zero_byte(value) ? JSON_VALUE_OTHER : JSON_VALUE_TEXT;
	case json_type_int:
		/* A larger one would be read as the greatest. */
		return json_object_get_uint64(value) > INT64_MAX ? JSON_VALUE_OTHER :
								   JSON_VALUE_WHOLE;
	case json_type_boolean:
		return JSON_VALUE_FLAG;
	case json_type_double:
		break;
	}
	return JSON_VALUE_OTHER;
}

const char *json_value_text(struct json_object *value)
{
	return json_object_get_string(value);
}

int64_t json_value_whole(struct json_object *value)
{
	return json_object_get_int64(value);
}

bool json_value_flag(struct json_object *value)
{
	return json_object_get_boolean(value);
}

size_t json_value_nr(struct json_object *list)
{
	return json_object_array_length(list);
}

struct json_object *json_value_element(struct json_object *list, size_t i)
{
	return json_object_array_get_idx(list, i);
}

bool json_value_has(struct json_object *object, const char *key)
{
	return json_object_object_get_ex(object, key, NULL);
}

struct json_object *json_value_member(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(object, key, &value);
	return value;
}

int json_value_each(struct json_object *object,
		    int (*see)(const void *context, const char *key, struct json_object *value),
		    const void *context)
{
	int status = 0;

	json_object_object_foreach(object, key, value)
	{
		status = see(context, key, value);
		if (status)
			break;
	}
	return status;
}
