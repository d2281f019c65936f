/* SPDX-License-Identifier: GPL-2.0 */
/* Which events of any kind are in a page: annot html --events. */
#ifndef ANNOT_CMD_PAGE_EVENTS_H
#define ANNOT_CMD_PAGE_EVENTS_H

#include "model/event_source.h"

struct page_events_choice {
	bool is_given;
	uint64_t most_rows; /* UINT64_MAX: no limit */
	const char *names; /* "system:event,..."; NULL: of any type */
};

/* What --events says; false if it is nothing that this option takes. NULL: it is not given. */
bool page_events_parse(const char *text, struct page_events_choice *choice);

struct page_events;

/*
 * Of @trace, which is about to be read. @most_bytes: of the page, or 0. Returns NULL after one line on stderr if
 * the choice names an event that the trace does not describe. The result is freed by page_events_free().
 */
struct page_events *page_events_new(struct trace *trace, const struct page_events_choice *choice,
				    uint64_t most_bytes);
void page_events_free(struct page_events *events);

const struct event_source *page_events_source(const struct page_events *events);

/* One line on stderr if events that nobody asked to leave out are left out. */
void page_events_tell(const struct page_events *events);

#endif /* ANNOT_CMD_PAGE_EVENTS_H */
