/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divides messages among the windows of a page and its rest, as model/window/window.h divides the rows of a model: a
 * message that is sent and received in one window belongs to it, any other to the rest.
 */
#ifndef ANNOT_PAGE_MESSAGES_H
#define ANNOT_PAGE_MESSAGES_H

#include "model/tables.h"

/* Zero-initialise, and set @all; page_messages_free(). */
struct page_messages {
	const struct message_table *all; /* by start; NULL: there are none */
	size_t next; /* the first that is in no window yet */
	struct message_table rest;
};

/* Appends to @window the messages of the window that ends at @to_ns. Windows come in the order of time. */
void page_messages_take_window(struct page_messages *messages, uint64_t to_ns,
			       struct message_table *window);

/* After the last window: those of no window, by start. */
const struct message_table *page_messages_take_rest(struct page_messages *messages);

void page_messages_free(struct page_messages *messages);

#endif /* ANNOT_PAGE_MESSAGES_H */
