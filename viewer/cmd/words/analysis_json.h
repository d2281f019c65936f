/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The findings and analyses of a page, as JSON, and its messages.
 */
#ifndef ANNOT_ANALYSIS_JSON_H
#define ANNOT_ANALYSIS_JSON_H

#include "model/tables.h"
#include "model/window/filter.h"

/*
 * Analyses keep the whole model in memory, about 45 bytes per event: 140 MB for this many. A page
 * without them needs little memory.
 */
#define ANALYSIS_MOST_EVENTS 3000000

/*
 * Reads the file of @whole from its start, or the part of it that @filter keeps (NULL: all). Returns 0, and in @out a
 * JSON object as analyses_json() writes it; free() it. If the trace has more than about
 * @most_events events, with those in batches counted one by one, the object is {"left_out":
 * {"events": n, "most_events": m}}. Returns -1 after one line on stderr if the trace cannot be
 * read. Does not warn of missing parts: the caller reads the trace, too, and warns.
 *
 * @messages, which is empty, gets the messages between ranks, if findings are not left out. message_table_free() frees
 * them, whatever is returned.
 */
int analysis_json(const struct trace *whole, const struct model_filter *filter,
		  uint64_t most_events, char **out, struct message_table *messages);

#endif /* ANNOT_ANALYSIS_JSON_H */
