// SPDX-License-Identifier: GPL-2.0
#include "trace/file/event_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* "unsigned char common_flags", "char comm[16]", "__data_loc char[] name": the last word. */
static int parse_declaration(const char *start, const char *end, struct event_field *field)
{
	const char *name;
	size_t bytes;

	if (end > start && end[-1] == ']') {
		while (end > start && *--end != '[')
			;
	}
	while (end > start && end[-1] == ' ')
		end--;
	for (name = end; name > start && is_name_char(name[-1]); name--)
		;
	bytes = (size_t)(end - name);
	if (!bytes || bytes >= sizeof(field->name))
		return -1;
	field->is_pointer = memchr(start, '*', (size_t)(name - start));
	memcpy(field->name, name, bytes);
	field->name[bytes] = '\0';
	if (!strncmp(start, "__data_loc ", 11))
		field->location = FIELD_DATA_LOC;
	else if (!strncmp(start, "__rel_loc ", 10))
		field->location = FIELD_REL_LOC;
	return 0;
}

/* "<key>:<number>;" somewhere between @start and @end. */
static int parse_number(const char *start, const char *end, const char *key, uint16_t *number)
{
	const char *at = memmem(start, (size_t)(end - start), key, strlen(key));
	unsigned long value;

	if (!at)
		return -1;
	value = strtoul(at + strlen(key), NULL, 10);
	if (value > UINT16_MAX)
		return -1;
	*number = (uint16_t)value;
	return 0;
}

/* "field:<declaration>;	offset:N;	size:N;	signed:N;" */
static int parse_field(const char *start, const char *end, struct event_field *field)
{
	const char *declared = memchr(start, ';', (size_t)(end - start));

	*field = (struct event_field){ .location = FIELD_IN_PLACE };
	if (!declared || parse_declaration(start, declared, field))
		return -1;
	if (parse_number(declared, end, "offset:", &field->offset))
		return -1;
	return parse_number(declared, end, "size:", &field->size);
}

static void parse_name(const char *start, const char *end, struct event_format *format)
{
	size_t bytes = (size_t)(end - start);

	if (bytes >= sizeof(format->name))
		bytes = sizeof(format->name) - 1;
	memcpy(format->name, start, bytes);
	format->name[bytes] = '\0';
}

int event_format_parse(const char *text, struct event_format *format)
{
	*format = (struct event_format){ .id = -1, .print = "" };
	while (*text) {
		const char *end = strchrnul(text, '\n');

		while (*text == '\t' || *text == ' ')
			text++;
		if (!strncmp(text, "name: ", 6)) {
			parse_name(text + 6, end, format);
		} else if (!strncmp(text, "ID: ", 4)) {
			format->id = atoi(text + 4);
		} else if (!strncmp(text, "print fmt:", 10)) {
			format->print = text;
			break;
		} else if (!strncmp(text, "field:", 6)) {
			text += 6;
			while (*text == ' ')
				text++;
			if (format->nr_fields == FORMAT_MAX_FIELDS)
				return -1;
			if (parse_field(text, end, &format->fields[format->nr_fields]))
				return -1;
			format->nr_fields++;
		}
		text = *end ? end + 1 : end;
	}
	return format->nr_fields ? 0 : -1;
}

const struct event_field *event_format_field(const struct event_format *format, const char *name)
{
	for (int i = 0; i < format->nr_fields; i++) {
		if (!strcmp(format->fields[i].name, name))
			return &format->fields[i];
	}
	return NULL;
}
