// SPDX-License-Identifier: GPL-2.0
#include "page/messages.h"

#include "model/window/table_copy.h"

void page_messages_take_window(struct page_messages *messages, uint64_t to_ns,
			       struct message_table *window)
{
	const struct message_table *all = messages->all;

	for (; all && messages->next < all->nr && all->start_ns[messages->next] < to_ns;
	     messages->next++)
		message_table_copy(all->end_ns[messages->next] <= to_ns ? window : &messages->rest,
				   all, messages->next, 1);
}

const struct message_table *page_messages_take_rest(struct page_messages *messages)
{
	const struct message_table *all = messages->all;

	if (all && messages->next < all->nr)
		message_table_copy(&messages->rest, all, messages->next, all->nr - messages->next);
	messages->next = all ? all->nr : 0;
	return &messages->rest;
}

void page_messages_free(struct page_messages *messages)
{
	message_table_free(&messages->rest);
}
