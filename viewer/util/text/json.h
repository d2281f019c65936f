/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes JSON (RFC 8259) to a FILE, as a stream: nothing is kept but the nesting.
 *
 * The caller opens and closes in pairs and gives a key before each value in an object; commas,
 * indentation and escapes come from here. What is written is valid JSON whatever bytes the strings
 * hold: bytes that are not UTF-8 become U+FFFD. '<' is escaped, so that the text may stand inside
 * an HTML script element. Write errors are the FILE's: ask ferror() at the end.
 */
#ifndef ANNOT_UTIL_JSON_H
#define ANNOT_UTIL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_MAX_DEPTH 32

enum json_layout {
	JSON_COMPACT, /* no blanks at all */
	JSON_INDENTED, /* one member a line, for people and for diff */
};

/* Fields are private to json.c. */
struct json {
	FILE *out;
	enum json_layout layout;
	int depth;
	bool after_key;
	bool has_members[JSON_MAX_DEPTH];
};

void json_init(struct json *json, FILE *out, enum json_layout layout);

void json_begin_object(struct json *json);
void json_end_object(struct json *json);
void json_begin_array(struct json *json);
void json_end_array(struct json *json);

/* Inside an object, before each value. */
void json_key(struct json *json, const char *key);

void json_string(struct json *json, const char *string);
void json_u64(struct json *json, uint64_t value);
void json_i64(struct json *json, int64_t value);
/* A thousandth of @value, exactly: 1234567 becomes 1234.567. */
void json_thousandths(struct json *json, uint64_t value);
/* The shortest decimal that reads back as @value; null when it is not finite. */
void json_double(struct json *json, double value);
void json_bool(struct json *json, bool value);
void json_null(struct json *json);

/* A key and its value. */
void json_key_string(struct json *json, const char *key, const char *string);
/* With @text NULL: null. */
void json_key_text(struct json *json, const char *key, const char *text);
void json_key_u64(struct json *json, const char *key, uint64_t value);
/* In hexadecimal, as text: a number of 64 bits is more than most readers of JSON hold exactly. */
void json_key_address(struct json *json, const char *key, uint64_t address);
void json_key_bool(struct json *json, const char *key, bool value);
/* With @known false: null. */
void json_key_known_u64(struct json *json, const char *key, bool known, uint64_t value);
void json_key_known_i64(struct json *json, const char *key, bool known, int64_t value);
void json_key_known_double(struct json *json, const char *key, bool known, double value);

#endif /* ANNOT_UTIL_JSON_H */
