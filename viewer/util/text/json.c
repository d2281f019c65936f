// SPDX-License-Identifier: GPL-2.0
#include "util/text/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/text/utf8.h"

void json_init(struct json *json, FILE *out, enum json_layout layout)
{
	*json = (struct json){ .out = out, .layout = layout };
}

static void new_line(struct json *json)
{
	if (json->layout == JSON_COMPACT)
		return;
	fputc('\n', json->out);
	for (int i = 0; i < json->depth; i++)
		fputc('\t', json->out);
}

/* Writes the separator before a value or key. */
static void put_separator(struct json *json)
{
	if (json->after_key) {
		json->after_key = false;
		return;
	}
	if (!json->depth)
		return;
	if (json->has_members[json->depth - 1])
		fputc(',', json->out);
	json->has_members[json->depth - 1] = true;
	new_line(json);
}

static void begin_bracket(struct json *json, char bracket)
{
	put_separator(json);
	assert(json->depth < JSON_MAX_DEPTH);
	fputc(bracket, json->out);
	json->has_members[json->depth++] = false;
}

static void end_bracket(struct json *json, char bracket)
{
	assert(json->depth > 0);
	if (json->has_members[--json->depth])
		new_line(json);
	fputc(bracket, json->out);
	if (!json->depth && json->layout == JSON_INDENTED)
		fputc('\n', json->out);
}

void json_begin_object(struct json *json)
{
	begin_bracket(json, '{');
}

void json_end_object(struct json *json)
{
	end_bracket(json, '}');
}

void json_begin_array(struct json *json)
{
	begin_bracket(json, '[');
}

void json_end_array(struct json *json)
{
	end_bracket(json, ']');
}

static void write_ascii(FILE *out, unsigned char c)
{
	switch (c) {
	case '"':
		fputs("\\\"", out);
		break;
	case '\\':
		fputs("\\\\", out);
		break;
	case '\n':
		fputs("\\n", out);
		break;
	case '\t':
		fputs("\\t", out);
		break;
	default:
		if (c < 0x20 || c == 0x7f || c == '<')
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
}

/* How many bytes stand for themselves. */
static size_t nr_plain(const char *string)
{
	size_t nr = 0;

	while (string[nr] >= ' ' && string[nr] < 0x7f && string[nr] != '"' && string[nr] != '\\' &&
	       string[nr] != '<')
		nr++;
	return nr;
}

static void write_string(FILE *out, const char *string)
{
	fputc('"', out);
	while (*string) {
		size_t plain = nr_plain(string);
		int length;

		fwrite(string, 1, plain, out);
		string += plain;
		if (!*string)
			break;
		length = utf8_sequence_bytes(string);
		if (length == 1)
			write_ascii(out, (unsigned char)*string);
		else if (length)
			fwrite(string, 1, (size_t)length, out);
		else
			fputs("\xef\xbf\xbd", out);
		string += length ? length : 1;
	}
	fputc('"', out);
}

void json_key(struct json *json, const char *key)
{
	put_separator(json);
	write_string(json->out, key);
	fputs(json->layout == JSON_INDENTED ? ": " : ":", json->out);
	json->after_key = true;
}

void json_string(struct json *json, const char *string)
{
	put_separator(json);
	write_string(json->out, string);
}

void json_u64(struct json *json, uint64_t value)
{
	put_separator(json);
	fprintf(json->out, "%" PRIu64, value);
}

void json_i64(struct json *json, int64_t value)
{
	put_separator(json);
	fprintf(json->out, "%" PRId64, value);
}

void json_thousandths(struct json *json, uint64_t value)
{
	put_separator(json);
	fprintf(json->out, "%" PRIu64 ".%03u", value / 1000, (unsigned int)(value % 1000));
}

void json_double(struct json *json, double value)
{
	char text[32];

	put_separator(json);
	if (!isfinite(value)) {
		fputs("null", json->out);
		return;
	}
	/* Counts are whole, and read as such. */
	if (value == trunc(value) && fabs(value) < 1e15) {
		fprintf(json->out, "%.0f", value);
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	fputs(text, json->out);
}

void json_bool(struct json *json, bool value)
{
	put_separator(json);
	fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json)
{
	put_separator(json);
	fputs("null", json->out);
}

void json_key_string(struct json *json, const char *key, const char *string)
{
	json_key(json, key);
	json_string(json, string);
}

void json_key_text(struct json *json, const char *key, const char *text)
{
	if (text) {
		json_key_string(json, key, text);
	} else {
		json_key(json, key);
		json_null(json);
	}
}

void json_key_u64(struct json *json, const char *key, uint64_t value)
{
	json_key(json, key);
	json_u64(json, value);
}

void json_key_address(struct json *json, const char *key, uint64_t address)
{
	char text[sizeof("0xffffffffffffffff")];

	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	json_key_string(json, key, text);
}

void json_key_bool(struct json *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}

void json_key_known_u64(struct json *json, const char *key, bool known, uint64_t value)
{
	json_key(json, key);
	if (known)
		json_u64(json, value);
	else
		json_null(json);
}

void json_key_known_i64(struct json *json, const char *key, bool known, int64_t value)
{
	json_key(json, key);
	if (known)
		json_i64(json, value);
	else
		json_null(json);
}

void json_key_known_double(struct json *json, const char *key, bool known, double value)
{
	json_key(json, key);
	if (known)
		json_double(json, value);
	else
		json_null(json);
}
