// SPDX-License-Identifier: GPL-2.0
#include "trace/lines/pages_line.h"

#include <string.h>

bool pages_line_is(const char *text, size_t bytes)
{
	return scan_starts_with((struct scan_text){ text, text + bytes }, PAGES_LINE);
}

static bool parse_tgid(struct scan_text field, struct trace_event *event)
{
	uint64_t tgid;

	if (!scan_unsigned(field, &tgid) || !tgid || tgid > INT32_MAX)
		return false;
	event->pages.tgid = (int32_t)tgid;
	return true;
}

/* Its last byte has an address. */
static bool parse_range(struct scan_text start, struct scan_text length, struct trace_event *event)
{
	return scan_hex(start, &event->pages.start) && scan_hex(length, &event->pages.length) &&
	       (event->pages.length ? event->pages.length - 1 <= UINT64_MAX - event->pages.start :
				      !event->pages.start);
}

static bool parse_bytes(struct scan_text resident, struct scan_text huge, struct trace_event *event)
{
	return scan_unsigned(resident, &event->pages.resident_bytes) &&
	       scan_unsigned(huge, &event->pages.huge_bytes) &&
	       event->pages.resident_bytes <= event->pages.length &&
	       event->pages.huge_bytes <= event->pages.resident_bytes;
}

static bool is_power_of_2(uint64_t number)
{
	return number && !(number & (number - 1));
}

static bool parse_sizes(struct scan_text page, struct scan_text huge_page,
			struct trace_event *event)
{
	return scan_unsigned(page, &event->pages.page_bytes) &&
	       scan_unsigned(huge_page, &event->pages.huge_page_bytes) &&
	       is_power_of_2(event->pages.page_bytes) &&
	       is_power_of_2(event->pages.huge_page_bytes) &&
	       event->pages.page_bytes <= event->pages.huge_page_bytes;
}

static bool parse_ago(struct scan_text field, uint64_t time_ns, struct trace_event *event)
{
	uint64_t ago_ns;

	if (!scan_unsigned(field, &ago_ns) || ago_ns > time_ns)
		return false;
	event->pages.true_ns = time_ns - ago_ns;
	return true;
}

bool pages_line_parse(struct scan_text text, uint64_t time_ns, struct trace_event *event)
{
	struct scan_text rest = scan_trim(text.start, scan_bytes(text));
	struct scan_text tgid, start, length, resident, huge, page, huge_page;

	event->kind = TRACE_PAGES;
	rest.start += strlen(PAGES_LINE);
	return scan_field(&rest, '|', &tgid) && scan_field(&rest, '|', &start) &&
	       scan_field(&rest, '|', &length) && scan_field(&rest, '|', &resident) &&
	       scan_field(&rest, '|', &huge) && scan_field(&rest, '|', &page) &&
	       scan_field(&rest, '|', &huge_page) && parse_tgid(tgid, event) &&
	       parse_range(start, length, event) && parse_bytes(resident, huge, event) &&
	       parse_sizes(page, huge_page, event) && parse_ago(rest, time_ns, event);
}
