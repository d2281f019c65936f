/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows of event_list_read() as lines of text, or of JSON.
 */
#ifndef ANNOT_EVENTS_EVENT_LINES_H
#define ANNOT_EVENTS_EVENT_LINES_H

#include <stdio.h>

#include "events/event_list.h"

struct event_lines {
	const struct trace *trace;
	FILE *out;
};

/* For event_list_read(), with a struct event_lines. Both stop when nothing can be written any more. */
bool event_lines_print_text(void *context, const struct event_list_row *row);
bool event_lines_print_json(void *context, const struct event_list_row *row);

/* "system:event", or "type:N" of a type that the trace does not describe; valid until the next call. */
const char *event_lines_name(const struct trace *trace, uint16_t type);

#endif /* ANNOT_EVENTS_EVENT_LINES_H */
