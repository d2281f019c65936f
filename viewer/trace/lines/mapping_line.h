/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the lines in trace_marker that describe mapped files, written by annot record:
 *
 *	annot|map|tgid|start|length|offset|build-id|ago_ns@now_ns|path
 *
 * and of functions that the programs themselves made (MAPPING_FUNCTION). Memory that has data and no code (heaps,
 * stacks, data files) is told in lines with another head, MAPPING_DATA_LINE, and the same fields.
 * tgid and times are decimal, the others hexadecimal without 0x. The build-id may be empty. The path is last and may
 * contain '|'. The file was mapped ago_ns before now_ns, which is CLOCK_MONOTONIC just before the line was written. The
 * writer may be preempted in between: now_ns is better than the line's own time, if the trace has that clock. Lines of older
 * versions have no "@now_ns".
 */
#ifndef ANNOT_TRACE_LINES_MAPPING_LINE_H
#define ANNOT_TRACE_LINES_MAPPING_LINE_H

#include "util/text/scan.h"
#include "util/string_table.h"
#include "trace/event.h"

#define MAPPING_LINE "annot|map|"
#define MAPPING_DATA_LINE "annot|data|"
#define MAPPING_MAX_BUILD_ID_BYTES 64

/* What paths begin with of memory that is no file: the kernel's words. */
#define MAPPING_NO_FILE "//anon"
#define MAPPING_MEMFD "/memfd:"

/* And of a function that the program itself made there; its name follows. */
#define MAPPING_FUNCTION "[jit] "

/* Whether the @bytes at @text begin like such a line. */
bool mapping_line_is(const char *text, size_t bytes);

/* When a line was written. */
struct mapping_line_time {
	uint64_t time_ns;
	bool is_mono; /* it is of CLOCK_MONOTONIC */
};

/* Fills @event (the caller sets time, cpu and tid). Returns false if a field is invalid. */
bool mapping_line_parse(struct scan_text text, struct mapping_line_time written,
			struct string_table *strings, struct trace_event *event);

#endif /* ANNOT_TRACE_LINES_MAPPING_LINE_H */
