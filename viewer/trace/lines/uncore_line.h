/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the lines in trace_marker of counters that the CPUs of a socket or die share, written by annot record:
 *
 *	annot|uncore|event|COUNTER|CPU|SCALE|UNIT|NAME
 *	annot|uncore|counts|FIRST|COUNT,ENABLED_NS,RUNNING_NS|...
 *
 * Counters are numbered from 0 on; each CPU that counts an event is one. A count of 1 is SCALE units. The second
 * kind has what counters FIRST, FIRST + 1, ... have counted since they were opened, and for how long they were enabled and
 * counted (perf_event_open(2)): the line's own time is a little later.
 */
#ifndef ANNOT_TRACE_LINES_UNCORE_LINE_H
#define ANNOT_TRACE_LINES_UNCORE_LINE_H

#include "trace/event.h"
#include "util/string_table.h"
#include "util/text/scan.h"

#define UNCORE_LINE "annot|uncore|"
#define UNCORE_EVENT_LINE UNCORE_LINE "event|"
#define UNCORE_COUNTS_LINE UNCORE_LINE "counts|"

#define UNCORE_LINE_MAX_CPU 8191

/* Whether the @bytes at @text begin like such a line. */
bool uncore_line_is(const char *text, size_t bytes);

/*
 * Fills @event (the caller sets time, cpu and tid). @counts: room for UNCORE_COUNTS_MAX, to which @event then points. False: the line is
 * damaged.
 */
bool uncore_line_parse(struct scan_text text, struct string_table *strings,
		       struct uncore_count *counts, struct trace_event *event);

#endif /* ANNOT_TRACE_LINES_UNCORE_LINE_H */
