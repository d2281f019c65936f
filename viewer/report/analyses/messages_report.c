// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/waits/messages.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *messages_report_compute(const struct analyses *analyses)
{
	struct messages *result = xcalloc(1, sizeof(*result));

	*result = messages_compute(analyses->model);
	return result;
}

static void messages_report_free(void *result)
{
	messages_free(result);
	free(result);
}

static void messages_report_add_findings(const struct analyses *analyses, const void *result,
					 struct findings *findings)
{
	messages_add_findings(analyses->model, result, findings);
}

static const void *pair_rows(const void *result, size_t *nr)
{
	const struct messages *messages = result;

	*nr = messages->nr_pairs;
	return messages->pairs;
}

static const void *total_rows(const void *result, size_t *nr)
{
	const struct messages *messages = result;

	*nr = messages->nr || messages->nr_unmatched_sends || messages->nr_unmatched_receives;
	return messages;
}

#define PAIR(field) TABLE_FIELD(message_pair, field)

static const struct table_column pair_columns[] = {
	{ COLUMN_COUNT, "sender_rank", "from", "The rank that sends.", PAIR(sender_rank) },
	{ COLUMN_COUNT, "receiver_rank", "to", "The rank that receives.", PAIR(receiver_rank) },
	{ COLUMN_THREAD, NULL, "receiver", "The thread that receives.", PAIR(receiver) },
	{ COLUMN_COUNT, "messages", "messages", "Messages from one to the other.", PAIR(messages) },
	{ COLUMN_COUNT, "bytes", "bytes",
	  "Their bytes; of messages of 512 KB and more, rounded down by less than 4 in a million.",
	  PAIR(bytes) },
	{ COLUMN_TIME, "median_ns", "median",
	  "The median time from the end of the send to that of the receive; 0 if the receive ended first.",
	  PAIR(median_ns) },
	{ COLUMN_COUNT, "contradictory", "contradictory",
	  "Messages whose send and receive do not belong together: bytes differ, or the receive ended before the "
	  "send began. Their times count for nothing, and others of the pair may be wrong, too.",
	  PAIR(contradictory) },
	{ COLUMN_COUNT, "late", "late",
	  "Messages whose receiver was in its call before the sender was in its own.", PAIR(late) },
	{ COLUMN_TIME, "late_ns", "late by",
	  "For how long the receiver was in its call while the sender was not yet in its own.",
	  PAIR(late_ns) },
	{ COLUMN_FROM, "worst_from_ns", NULL, "When the receiver began to wait for the latest one.",
	  PAIR(worst_from_ns) },
	{ COLUMN_TO, "worst_to_ns", NULL, "When it received it.", PAIR(worst_to_ns) },
	{ 0 },
};

#define TOTAL(field) TABLE_FIELD(messages, field)

static const struct table_column total_columns[] = {
	{ COLUMN_COUNT, "matched", "messages", "Messages whose send and receive are in the trace.",
	  TOTAL(nr) },
	{ COLUMN_COUNT, "unmatched_sends", "sends alone",
	  "Sends without a receive, or with an unknown partner.", TOTAL(nr_unmatched_sends) },
	{ COLUMN_COUNT, "unmatched_receives", "receives alone",
	  "Receives without a send, or with an unknown partner.", TOTAL(nr_unmatched_receives) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "pairs", "Messages between ranks", "pair", pair_columns, sizeof(struct message_pair),
	  pair_rows },
	{ "totals", "All messages", "trace", total_columns, sizeof(struct messages), total_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_LATE_SENDER,
		"a rank waits for messages that are not yet sent",
		"A rank of an MPI program waits in a receive, and the rank that it waits for has not begun to "
		"send.",
		"annot record --attach records each message with its ranks, tag and bytes. annot matches the n-th "
		"receive with the n-th send of the same ranks and tag. That is wrong if receives complete out of order, or "
		"if one tag is used in two communicators; where the trace shows it, confidence is low. A sender is late by the time that the "
		"receiver is in its call before the sender is in its own.",
		"In the page, the receiver's lane is hatched (MPI_Recv, MPI_Wait) while the sender works. annot "
		"report --show messages lists all pairs of ranks.",
		CATALOGUE_CURES(
			"Look at what the sender does meanwhile: if it has more work, balance the load.",
			"Send earlier: as soon as the data are there, with MPI_Isend.",
			"Receive later: post MPI_Irecv early, and do other work before MPI_Wait."),
	},
	{ 0 },
};

const struct analysis_desc messages_analysis = {
	.name = "messages",
	.help = "messages between ranks of MPI, and late senders",
	.title = "Messages",
	.tables = tables,
	.catalogue = catalogue,
	.compute = messages_report_compute,
	.free = messages_report_free,
	.add_findings = messages_report_add_findings,
};
