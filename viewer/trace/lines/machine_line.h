/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the line in trace_marker that says that the machine is virtual, written by annot record:
 *
 *	annot|machine|virtual|NAME
 *
 * NAME is what the hypervisor calls itself, as "kvm"; empty: it is not known.
 */
#ifndef ANNOT_TRACE_LINES_MACHINE_LINE_H
#define ANNOT_TRACE_LINES_MACHINE_LINE_H

#include "util/string_table.h"
#include "trace/event.h"

#define MACHINE_VIRTUAL_LINE "annot|machine|virtual|"
#define MACHINE_MAX_NAME_BYTES 64

/* Whether the @bytes at @text begin like such a line. */
bool machine_line_is(const char *text, size_t bytes);

/* Fills @event (the caller sets time, cpu and tid), of a line. A name that is too long is cut. */
void machine_line_parse(const char *text, size_t bytes, struct string_table *strings,
			struct trace_event *event);

#endif /* ANNOT_TRACE_LINES_MACHINE_LINE_H */
