// SPDX-License-Identifier: GPL-2.0
#include "trace/lines/group_line.h"

#include <stdlib.h>
#include <string.h>

#include "trace/lines/pmu_config.h"
#include "util/xalloc.h"

bool group_line_is(const char *text, size_t bytes)
{
	return scan_starts_with((struct scan_text){ text, text + bytes }, GROUP_LINE);
}

static bool takes_head(struct scan_text *rest, const char *head)
{
	if (!scan_starts_with(*rest, head))
		return false;
	rest->start += strlen(head);
	return true;
}

static bool take_number(struct scan_text *rest, char separator, uint64_t most, uint64_t *number)
{
	return scan_unsigned(scan_take(rest, separator), number) && *number <= most;
}

static bool take_group(struct scan_text *rest, uint8_t *group)
{
	uint64_t number;

	if (!take_number(rest, '|', GROUP_LINE_MOST_GROUPS - 1, &number))
		return false;
	*group = (uint8_t)number;
	return true;
}

static bool parse_event(struct scan_text rest, struct string_table *strings,
			struct trace_event *event)
{
	char *config;
	uint8_t group;
	bool is_whole;

	if (!scan_is_printable(rest) || !take_group(&rest, &group))
		return false;
	config = xstrndup(rest.start, scan_bytes(rest));
	is_whole = pmu_config_parse(config,
				    string_table_intern(strings, rest.start, scan_bytes(rest)),
				    strings, event) &&
		   event->pmu_event.is_counted;
	event->pmu_event.group = group + 1;
	free(config);
	return is_whole;
}

static bool parse_row(struct scan_text text, struct trace_group_row *row)
{
	struct scan_text number;
	uint64_t tid;

	row->is_tick = takes_head(&text, GROUP_TICK);
	if (!take_number(&text, ',', UINT64_MAX, &row->length_ns))
		return false;
	number = scan_take(&text, ',');
	row->tid = -1;
	if (scan_bytes(number) && (!scan_unsigned(number, &tid) || tid > INT32_MAX))
		return false;
	if (scan_bytes(number))
		row->tid = (int32_t)tid;
	for (row->nr = 0; scan_bytes(text); row->nr++) {
		if (row->nr == TRACE_GROUP_MOST_COUNTS ||
		    !take_number(&text, ',', UINT64_MAX, &row->counts[row->nr]))
			return false;
	}
	return true;
}

bool group_line_next(struct scan_text *rows, struct trace_group_row *row)
{
	return scan_bytes(*rows) && parse_row(scan_take(rows, '|'), row);
}

/* All rows are whole, and none ends behind @time_ns. */
static bool check_rows(struct scan_text rows, uint64_t start_ns, uint64_t time_ns)
{
	struct trace_group_row row;

	if (start_ns > time_ns || !scan_bytes(rows))
		return false;
	while (scan_bytes(rows)) {
		if (!group_line_next(&rows, &row) || row.length_ns > time_ns - start_ns)
			return false;
		start_ns += row.length_ns;
	}
	return true;
}

static bool take_start(struct scan_text *rest, struct trace_event *event)
{
	uint64_t cpu;

	if (!take_group(rest, &event->group.group) ||
	    !take_number(rest, '|', GROUP_LINE_MAX_CPU, &cpu) ||
	    !take_number(rest, '|', UINT64_MAX, &event->group.start_ns))
		return false;
	event->group.cpu = (int)cpu;
	return true;
}

static bool parse_counts(struct scan_text rest, uint64_t time_ns, struct trace_event *event)
{
	event->kind = TRACE_GROUP_COUNTS;
	if (!take_start(&rest, event))
		return false;
	event->group.rows = rest;
	return check_rows(rest, event->group.start_ns, time_ns);
}

static bool parse_gap(struct scan_text rest, uint64_t time_ns, struct trace_event *event)
{
	event->kind = TRACE_GROUP_GAP;
	return take_start(&rest, event) && take_number(&rest, '|', time_ns, &event->group.end_ns) &&
	       !scan_bytes(rest) && event->group.start_ns <= event->group.end_ns;
}

bool group_line_parse(struct scan_text text, uint64_t time_ns, struct string_table *strings,
		      struct trace_event *event)
{
	struct scan_text rest = scan_trim(text.start, scan_bytes(text));

	if (takes_head(&rest, GROUP_EVENT_LINE))
		return parse_event(rest, strings, event);
	if (takes_head(&rest, GROUP_COUNTS_LINE))
		return parse_counts(rest, time_ns, event);
	return takes_head(&rest, GROUP_GAP_LINE) && parse_gap(rest, time_ns, event);
}
