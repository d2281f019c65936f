/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events are asked for, by type and by their fields.
 */
#ifndef ANNOT_EVENTS_EVENT_FILTER_H
#define ANNOT_EVENTS_EVENT_FILTER_H

#include <stdbool.h>

#include "trace/print/event_printer.h"
#include "trace/trace.h"

struct event_filter;

/* Takes all events. */
struct event_filter *event_filter_new(void);
void event_filter_free(struct event_filter *filter);

/* Whether @text has an expression, for which a printer is needed. */
bool event_filter_has_expression(const char *text);

/*
 * From now on, only events are taken that @text or a text before it is about: "SYSTEM:EVENT", "SYSTEM", "EVENT", all with
 * wildcards as of files, and behind that ": EXPRESSION", which @printer evaluates. Types without one of the fields in it are
 * not taken. Returns 0, or -1 after one line on stderr: the trace knows no such events, or the expression is wrong.
 */
int event_filter_add(struct event_filter *filter, const struct trace *trace,
		     struct event_printer *printer, const char *text);

/* Whether events of that type are taken, if their fields are as asked for. */
bool event_filter_takes(const struct event_filter *filter, uint16_t type);

/* Whether that also depends on their fields. */
bool event_filter_has_condition(const struct event_filter *filter, uint16_t type);

#endif /* ANNOT_EVENTS_EVENT_FILTER_H */
