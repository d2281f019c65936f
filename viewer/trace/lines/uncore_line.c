// SPDX-License-Identifier: GPL-2.0
#include "trace/lines/uncore_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCALE_MAX_BYTES 63

bool uncore_line_is(const char *text, size_t bytes)
{
	return scan_starts_with((struct scan_text){ text, text + bytes }, UNCORE_LINE);
}

static bool take_number(struct scan_text *rest, char separator, uint64_t most, uint64_t *number)
{
	return scan_unsigned(scan_take(rest, separator), number) && *number <= most;
}

static bool take_scale(struct scan_text *rest, double *scale)
{
	struct scan_text field = scan_take(rest, '|');
	char text[SCALE_MAX_BYTES + 1] = "";
	size_t bytes = scan_bytes(field);
	char *end;

	if (!bytes || bytes > SCALE_MAX_BYTES)
		return false;
	memcpy(text, field.start, bytes);
	*scale = strtod(text, &end);
	return end == text + bytes && isfinite(*scale) && *scale > 0;
}

static uint32_t intern(struct string_table *strings, struct scan_text text)
{
	return scan_bytes(text) ? string_table_intern(strings, text.start, scan_bytes(text)) :
				  TRACE_NO_STRING;
}

static bool parse_event(struct scan_text rest, struct string_table *strings,
			struct trace_event *event)
{
	uint64_t counter, cpu;

	event->kind = TRACE_UNCORE_EVENT;
	if (!scan_is_printable(rest) || !take_number(&rest, '|', UINT32_MAX, &counter) ||
	    !take_number(&rest, '|', UNCORE_LINE_MAX_CPU, &cpu) ||
	    !take_scale(&rest, &event->uncore_event.scale))
		return false;
	event->uncore_event.counter = (uint32_t)counter;
	event->uncore_event.cpu = (int)cpu;
	event->uncore_event.unit = intern(strings, scan_take(&rest, '|'));
	event->uncore_event.name = intern(strings, rest);
	return event->uncore_event.name != TRACE_NO_STRING;
}

static bool parse_count(struct scan_text text, struct uncore_count *count)
{
	return take_number(&text, ',', UINT64_MAX, &count->count) &&
	       take_number(&text, ',', UINT64_MAX, &count->enabled_ns) &&
	       take_number(&text, ',', count->enabled_ns, &count->running_ns) && !scan_bytes(text);
}

static bool parse_counts(struct scan_text rest, struct uncore_count *counts,
			 struct trace_event *event)
{
	uint64_t first;

	event->kind = TRACE_UNCORE_COUNTS;
	event->uncore.counts = counts;
	event->uncore.nr = 0;
	if (!take_number(&rest, '|', UINT32_MAX, &first))
		return false;
	event->uncore.first = (uint32_t)first;
	while (scan_bytes(rest)) {
		if (event->uncore.nr == UNCORE_COUNTS_MAX ||
		    !parse_count(scan_take(&rest, '|'), &counts[event->uncore.nr]))
			return false;
		event->uncore.nr++;
	}
	return event->uncore.nr;
}

bool uncore_line_parse(struct scan_text text, struct string_table *strings,
		       struct uncore_count *counts, struct trace_event *event)
{
	struct scan_text rest = scan_trim(text.start, scan_bytes(text));

	if (scan_starts_with(rest, UNCORE_EVENT_LINE)) {
		rest.start += strlen(UNCORE_EVENT_LINE);
		return parse_event(rest, strings, event);
	}
	if (!scan_starts_with(rest, UNCORE_COUNTS_LINE))
		return false;
	rest.start += strlen(UNCORE_COUNTS_LINE);
	return parse_counts(rest, counts, event);
}
