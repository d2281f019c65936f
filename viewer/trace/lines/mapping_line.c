// SPDX-License-Identifier: GPL-2.0
#include "trace/lines/mapping_line.h"

#include <ctype.h>
#include <string.h>

/* What lies further before the line's own time is not a moment of the same clock. */
#define MOST_DELAY_NS 10000000000u

static bool begins_with(const char *text, size_t bytes, const char *head)
{
	return bytes >= strlen(head) && !memcmp(text, head, strlen(head));
}

bool mapping_line_is(const char *text, size_t bytes)
{
	return begins_with(text, bytes, MAPPING_LINE) ||
	       begins_with(text, bytes, MAPPING_DATA_LINE);
}

static bool parse_tgid(struct scan_text field, struct trace_event *event)
{
	uint64_t tgid;

	if (!scan_unsigned(field, &tgid) || !tgid || tgid > INT32_MAX)
		return false;
	event->mapping.tgid = (int32_t)tgid;
	return true;
}

static bool parse_range(struct scan_text start, struct scan_text length, struct scan_text offset,
			struct trace_event *event)
{
	if (!scan_hex(start, &event->mapping.start) || !scan_hex(length, &event->mapping.length) ||
	    !scan_hex(offset, &event->mapping.offset_bytes))
		return false;
	/* The last byte has an address, and a place in its file. */
	return event->mapping.length &&
	       event->mapping.length - 1 <= UINT64_MAX - event->mapping.start &&
	       event->mapping.length - 1 <= UINT64_MAX - event->mapping.offset_bytes;
}

/* Whole bytes, in small letters: equal ids are to be equal strings. */
static bool parse_build_id(struct scan_text field, struct string_table *strings, uint32_t *id)
{
	char text[2 * MAPPING_MAX_BUILD_ID_BYTES];
	size_t bytes = scan_bytes(field);

	if (bytes % 2 || bytes > sizeof(text))
		return false;
	for (size_t i = 0; i < bytes; i++) {
		if (!isxdigit((unsigned char)field.start[i]))
			return false;
		text[i] = (char)tolower((unsigned char)field.start[i]);
	}
	*id = string_table_intern(strings, text, bytes);
	return true;
}

static bool is_just_before(uint64_t now_ns, struct mapping_line_time written)
{
	return written.is_mono && now_ns <= written.time_ns &&
	       written.time_ns - now_ns <= MOST_DELAY_NS;
}

/* "ago_ns", or "ago_ns@now_ns". */
static bool parse_age(struct scan_text field, struct mapping_line_time written,
		      struct trace_event *event)
{
	struct scan_text ago = scan_take(&field, '@');
	bool has_now = ago.end != field.end;
	uint64_t ago_ns, now_ns = written.time_ns;

	if (!scan_unsigned(ago, &ago_ns) || (has_now && !scan_unsigned(field, &now_ns)))
		return false;
	if (!is_just_before(now_ns, written))
		now_ns = written.time_ns;
	if (ago_ns > now_ns)
		return false;
	event->mapping.true_ns = now_ns - ago_ns;
	return true;
}

/* The kernel escapes unprintable characters in paths. */
static bool parse_path(struct scan_text field, struct string_table *strings, uint32_t *path)
{
	if (field.start == field.end || !scan_is_printable(field))
		return false;
	*path = string_table_intern(strings, field.start, scan_bytes(field));
	return true;
}

static enum trace_mapping_kind kind_of(struct scan_text path)
{
	static const struct {
		const char *begin;
		enum trace_mapping_kind kind;
	} kinds[] = {
		{ MAPPING_NO_FILE, TRACE_MAPPING_OF_MEMORY },
		{ MAPPING_MEMFD, TRACE_MAPPING_OF_MEMORY },
		{ MAPPING_FUNCTION, TRACE_MAPPING_OF_FUNCTION },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t bytes = strlen(kinds[i].begin);

		if (scan_bytes(path) >= bytes && !memcmp(path.start, kinds[i].begin, bytes))
			return kinds[i].kind;
	}
	return TRACE_MAPPING_OF_FILE;
}

bool mapping_line_parse(struct scan_text text, struct mapping_line_time written,
			struct string_table *strings, struct trace_event *event)
{
	struct scan_text rest = scan_trim(text.start, scan_bytes(text));
	bool is_data = begins_with(rest.start, scan_bytes(rest), MAPPING_DATA_LINE);
	struct scan_text tgid, start, length, offset, build_id, age;

	event->kind = TRACE_MAPPING;
	rest.start += strlen(is_data ? MAPPING_DATA_LINE : MAPPING_LINE);
	if (!(scan_field(&rest, '|', &tgid) && scan_field(&rest, '|', &start) &&
	      scan_field(&rest, '|', &length) && scan_field(&rest, '|', &offset) &&
	      scan_field(&rest, '|', &build_id) && scan_field(&rest, '|', &age) &&
	      parse_tgid(tgid, event) && parse_range(start, length, offset, event) &&
	      parse_build_id(build_id, strings, &event->mapping.build_id) &&
	      parse_age(age, written, event) && parse_path(rest, strings, &event->mapping.path)))
		return false;
	event->mapping.kind = is_data ? TRACE_MAPPING_OF_DATA : kind_of(rest);
	return true;
}
