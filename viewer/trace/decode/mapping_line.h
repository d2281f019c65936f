/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines with which annot record tells, in trace_marker, what files are mapped into processes:
 *
 *	annot|map|tgid|start|length|offset|build-id|ago_ns|path
 *
 * tgid and ago_ns in decimal, the rest in hexadecimal without 0x; the build-id may be empty. The
 * path stands last and may hold '|'.
 */
#ifndef ANNOT_TRACE_DECODE_MAPPING_LINE_H
#define ANNOT_TRACE_DECODE_MAPPING_LINE_H

#include "util/scan.h"
#include "util/string_table.h"
#include "trace/event.h"

#define MAPPING_LINE "annot|map|"
#define MAPPING_MAX_BUILD_ID_BYTES 64

/* Whether the @bytes at @text claim to be such a line. */
bool mapping_line_is(const char *text, size_t bytes);

/* Fills @event (time, cpu and tid are the caller's). False: a field of it cannot be. */
bool mapping_line_parse(struct scan_text text, uint64_t time_ns, struct string_table *strings,
			struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_MAPPING_LINE_H */
