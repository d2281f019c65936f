/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many events of each type there are.
 */
#ifndef ANNOT_EVENTS_EVENT_SUMMARY_H
#define ANNOT_EVENTS_EVENT_SUMMARY_H

#include <stdio.h>

#include "events/event_list.h"

struct event_summary;

struct event_summary *event_summary_new(const struct trace *trace);
void event_summary_free(struct event_summary *summary);

/* For event_list_read(), with a struct event_summary. */
bool event_summary_add(void *context, const struct event_list_row *row);

/* A table, the most frequent type first; or a line of JSON for each. */
void event_summary_print(const struct event_summary *summary, FILE *out);
void event_summary_print_json(const struct event_summary *summary, FILE *out);

#endif /* ANNOT_EVENTS_EVENT_SUMMARY_H */
