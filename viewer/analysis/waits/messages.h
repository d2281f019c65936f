/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages between the ranks of an MPI program, as attached programs tell of them (libannot/attach/mpi/mpi_message.h):
 * each send and each receive with partner, tag and bytes.
 *
 * Between two ranks, messages with the same tag arrive in the order in which they are sent. So the n-th receive
 * belongs to the n-th send of the same ranks and tag, if none is missing from the trace, if the receives complete in
 * order, and if the program does not use the tag in two communicators. A pair whose bytes differ, or whose receive ended
 * before its send began, shows that this is not so: it is counted as contradictory, and its times count for nothing.
 * The ranks of one job are processes with the same parent. Messages whose partner the program did not tell are
 * unmatched.
 *
 * A sender is late by the time that the receiver is in its call before the sender is in its own: what the receiver
 * would not have waited if the message had been sent when it was wanted (Scalasca: "late sender").
 *
 * Cost: O(n log n) of n messages.
 */
#ifndef ANNOT_MESSAGES_H
#define ANNOT_MESSAGES_H

#include "analysis/base/findings.h"

/* A send and its receive. */
struct message {
	uint32_t sender; /* thread of the model */
	uint32_t receiver;
	uint32_t sender_rank;
	uint32_t receiver_rank;
	uint32_t tag;
	uint64_t bytes; /* received */
	bool is_contradictory;
	uint64_t send_from_ns; /* when the call began */
	uint64_t sent_ns; /* when the send was told */
	uint64_t receive_from_ns; /* when the receiver's call began */
	uint64_t received_ns; /* when the receive was told */
	uint64_t
		late_ns; /* for how long the receiver was in its call, and the sender not yet in its own */
};

/* All messages from one rank to another. */
struct message_pair {
	uint32_t sender; /* the first thread that sent one, and that received one */
	uint32_t receiver;
	uint64_t sender_rank;
	uint64_t receiver_rank;
	uint64_t messages;
	uint64_t bytes;
	uint64_t median_ns; /* from sent to received; 0 if the receive was told first */
	uint64_t contradictory; /* of these, send and receive do not belong together */
	uint64_t late; /* messages whose sender was late */
	uint64_t late_ns;
	uint64_t worst_from_ns; /* of the latest one */
	uint64_t worst_to_ns;
};

struct messages {
	size_t nr;
	struct message *rows; /* by the time of the receive */
	size_t nr_pairs;
	struct message_pair *pairs; /* the latest senders first; then the most bytes */
	uint64_t nr_unmatched_sends;
	uint64_t nr_unmatched_receives;
};

/* Never fails. messages_free() frees what is in it. */
struct messages messages_compute(const struct model *model);
void messages_free(struct messages *messages);

/*
 * Adds a finding for each pair whose sender is late, of low confidence if any of its messages is contradictory. Time lost
 * is at most what the receiver waited for that.
 */
void messages_add_findings(const struct model *model, const struct messages *messages,
			   struct findings *findings);

#endif /* ANNOT_MESSAGES_H */
