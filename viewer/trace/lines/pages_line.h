/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the lines in trace_marker that tell in which pages a process' memory is, written by annot record, which
 * reads it in /proc/PID/smaps:
 *
 *	annot|pages|tgid|start|length|resident|huge|page|huge-page|ago_ns
 *
 * Of a mapping: how many of its bytes are in memory, how many of these in huge pages, its page size, and the size of
 * a huge page of it. start and length are hexadecimal without 0x, the others decimal. A reading tells only what has
 * changed since the one before of that process; nothing is resident of a mapping that is no more. A line with length 0
 * ends it: what is told since the last such line was read when that one says.
 */
#ifndef ANNOT_TRACE_LINES_PAGES_LINE_H
#define ANNOT_TRACE_LINES_PAGES_LINE_H

#include "util/text/scan.h"
#include "trace/event.h"

#define PAGES_LINE "annot|pages|"

/* Whether the @bytes at @text begin like such a line. */
bool pages_line_is(const char *text, size_t bytes);

/* Fills @event (the caller sets time, cpu and tid). Returns false if a field is invalid. */
bool pages_line_parse(struct scan_text text, uint64_t time_ns, struct trace_event *event);

#endif /* ANNOT_TRACE_LINES_PAGES_LINE_H */
