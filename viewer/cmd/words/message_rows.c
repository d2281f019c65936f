// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/message_rows.h"

#include <stdlib.h>

#include "model/table_rows.h"
#include "util/xalloc.h"

static struct message_row row_of(const struct message *message)
{
	bool is_backward = message->received_ns < message->sent_ns;

	return (struct message_row){
		.start_ns = is_backward ? message->received_ns : message->sent_ns,
		.end_ns = is_backward ? message->sent_ns : message->received_ns,
		.sender = message->sender,
		.receiver = message->receiver,
		.sender_rank = message->sender_rank,
		.receiver_rank = message->receiver_rank,
		.tag = message->tag,
		.bytes = message->bytes,
		.call_ns = message->received_ns - message->receive_from_ns,
		.late_ns = message->is_contradictory ? 0 : message->late_ns,
		.flags = (uint8_t)((is_backward ? MESSAGE_BACKWARD : 0) |
				   (message->is_contradictory ? MESSAGE_CONTRADICTORY : 0)),
	};
}

/* In the same order on each machine. */
static int compare_rows(const void *a, const void *b)
{
	const struct message_row *first = a, *second = b;

	if (first->start_ns != second->start_ns)
		return first->start_ns < second->start_ns ? -1 : 1;
	if (first->end_ns != second->end_ns)
		return first->end_ns < second->end_ns ? -1 : 1;
	return first->receiver < second->receiver ? -1 : first->receiver > second->receiver;
}

void message_rows_add(struct message_table *table, const struct messages *messages)
{
	struct message_row *rows = xcalloc(messages->nr + 1, sizeof(*rows));

	for (size_t i = 0; i < messages->nr; i++)
		rows[i] = row_of(&messages->rows[i]);
	qsort(rows, messages->nr, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < messages->nr; i++)
		message_table_add(table, &rows[i]);
	free(rows);
}
