/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the lines in trace_marker of counters that annot record itself reads, in groups: those of a group count at the same time.
 *
 *	annot|group|event|GROUP|event=POSITION name=... mode=count ...
 *	annot|group|counts|GROUP|CPU|START_NS|LENGTH_NS,TID,COUNT,COUNT,...|...
 *	annot|group|gap|GROUP|CPU|START_NS|END_NS
 *
 * Behind the group's number, an event is described as in the module's annot_config (pmu_config.h). The second kind has rows:
 * what the counters of the group counted while thread TID ran on the CPU; without counts, they did not count all the time; without TID, it
 * was ending. The first row
 * begins at START_NS, each other one at the end of the one before: at a switch, or, with a 't' before the length, at a tick while the
 * thread ran. The third kind tells of a time of which there are no rows, as records were lost. Times are of CLOCK_MONOTONIC, which then is
 * the trace's clock.
 */
#ifndef ANNOT_TRACE_LINES_GROUP_LINE_H
#define ANNOT_TRACE_LINES_GROUP_LINE_H

#include "trace/event.h"
#include "util/string_table.h"
#include "util/text/scan.h"

#define GROUP_LINE "annot|group|"
#define GROUP_EVENT_LINE GROUP_LINE "event|"
#define GROUP_COUNTS_LINE GROUP_LINE "counts|"
#define GROUP_GAP_LINE GROUP_LINE "gap|"
#define GROUP_TICK "t"

#define GROUP_LINE_MOST_GROUPS 32
#define GROUP_LINE_MAX_CPU 8191

/* Whether the @bytes at @text begin like such a line. */
bool group_line_is(const char *text, size_t bytes);

/*
 * Fills @event (the caller sets time, cpu and tid), whose rows point into @text. False: the line is damaged, or tells of a time behind
 * @time_ns, when it was written.
 */
bool group_line_parse(struct scan_text text, uint64_t time_ns, struct string_table *strings,
		      struct trace_event *event);

/* Takes the first row off @rows, which a line had that was parsed. False: there is none. */
bool group_line_next(struct scan_text *rows, struct trace_group_row *row);

#endif /* ANNOT_TRACE_LINES_GROUP_LINE_H */
