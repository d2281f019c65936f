// SPDX-License-Identifier: GPL-2.0
#include "events/event_lines.h"

#include <inttypes.h>
#include <string.h>

#include "util/text/json.h"
#include "util/text/text.h"

#define NS_PER_S 1000000000u
#define THREAD_COLUMNS 23 /* of the longest name, '-', and a tid of 7 digits */
#define NAME_COLUMNS 24
#define BUFFER_COLUMNS 10
#define COMM_BYTES 16

#define UNPRINTABLE "[cannot be printed]"

const char *event_lines_name(const struct trace *trace, uint16_t type)
{
	static char number[16];
	const char *name = trace_event_name(trace, type);

	if (*name)
		return name;
	snprintf(number, sizeof(number), "type:%" PRIu16, type);
	return number;
}

/* A name is one field of the line: blanks in it become '_', what no terminal should get '?'. */
static void put_name(char *text, size_t nr_bytes, const char *name)
{
	size_t at = 0;

	while (*name && at + 5 < nr_bytes) {
		bool safe;
		int bytes = text_next_column(name, &safe);

		if (safe && *name != ' ') {
			memcpy(text + at, name, (size_t)bytes);
			at += (size_t)bytes;
		} else {
			text[at++] = safe ? '_' : '?';
		}
		name += bytes;
	}
	text[at] = '\0';
}

static void print_head(const struct event_lines *lines, const struct event_list_row *row)
{
	char buffer[256];

	fprintf(lines->out, "%6" PRIu64 ".%09" PRIu64 " [%03d] ", row->time_ns / NS_PER_S,
		row->time_ns % NS_PER_S, row->cpu);
	if (trace_info(lines->trace)->nr_buffers == 1)
		return;
	put_name(buffer, sizeof(buffer), row->buffer);
	fprintf(lines->out, "%-*s ", BUFFER_COLUMNS, *buffer ? buffer : "-");
}

static void print_loss(const struct event_lines *lines, const struct event_list_row *row)
{
	fprintf(lines->out, "%-*s %-*s ", THREAD_COLUMNS, "-", NAME_COLUMNS, "LOST");
	if (row->nr_lost)
		fprintf(lines->out, "%" PRIu64 " event%s", row->nr_lost, text_plural(row->nr_lost));
	else
		fputs("events", lines->out);
	if (row->since_ns)
		fprintf(lines->out, " since %" PRIu64 ".%09" PRIu64, row->since_ns / NS_PER_S,
			row->since_ns % NS_PER_S);
}

/* Most texts are ASCII, of which a printer leaves nothing that upsets a terminal. */
static void print_text(FILE *out, const char *text)
{
	for (const char *at = text; *at; at++) {
		if ((unsigned char)*at >= 0x80) {
			text_print_name(out, text, -1, 0);
			return;
		}
	}
	fputs(text, out);
}

static void print_event(const struct event_lines *lines, const struct event_list_row *row)
{
	const char *name = event_lines_name(lines->trace, row->type);
	const char *text = row->text ? row->text : UNPRINTABLE;
	char thread[4 * COMM_BYTES + 16];
	size_t bytes;

	put_name(thread, 4 * COMM_BYTES, row->comm);
	bytes = strlen(thread);
	snprintf(thread + bytes, sizeof(thread) - bytes, "-%" PRId32, row->tid);
	if (!*text) {
		fprintf(lines->out, "%-*s %s", THREAD_COLUMNS, thread, name);
		return;
	}
	fprintf(lines->out, "%-*s %-*s ", THREAD_COLUMNS, thread, NAME_COLUMNS, name);
	print_text(lines->out, text + strspn(text, " "));
}

bool event_lines_print_text(void *context, const struct event_list_row *row)
{
	const struct event_lines *lines = context;

	print_head(lines, row);
	if (row->is_loss)
		print_loss(lines, row);
	else
		print_event(lines, row);
	putc('\n', lines->out);
	return !ferror(lines->out);
}

static void put_loss(struct json *json, const struct event_list_row *row)
{
	json_key(json, "lost");
	json_begin_object(json);
	json_key_u64(json, "since_ns", row->since_ns);
	json_key_known_u64(json, "events", row->nr_lost, row->nr_lost);
	json_end_object(json);
}

static void put_event(struct json *json, const struct event_lines *lines,
		      const struct event_list_row *row)
{
	json_key(json, "tid");
	json_i64(json, row->tid);
	json_key_string(json, "comm", row->comm);
	json_key_string(json, "event", event_lines_name(lines->trace, row->type));
	json_key_text(json, "text", row->text);
}

bool event_lines_print_json(void *context, const struct event_list_row *row)
{
	const struct event_lines *lines = context;
	struct json json;

	json_init(&json, lines->out, JSON_COMPACT);
	json_begin_object(&json);
	json_key_u64(&json, "time_ns", row->time_ns);
	json_key(&json, "cpu");
	json_i64(&json, row->cpu);
	json_key_string(&json, "buffer", row->buffer);
	if (row->is_loss)
		put_loss(&json, row);
	else
		put_event(&json, lines, row);
	json_end_object(&json);
	putc('\n', lines->out);
	return !ferror(lines->out);
}
