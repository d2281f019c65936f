/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads and merges the records of a trace ahead, in another thread, and decodes what most of them are: switches and wakeups of
 * the plain layout (decode/decode_sched.h). Names are not interned there: whoever takes the records does that, in their order, so
 * that ids are the same as without.
 *
 * A comm has a slot. The first record that has it there comes as it is, and says which slots it fills; whoever takes it gives
 * them their ids. Records after it have the slots only.
 *
 * One thread takes the records. The merge belongs to the other one until record_ahead_free(). Memory is bounded: 7 MB, and a record.
 */
#ifndef ANNOT_TRACE_RECORD_AHEAD_H
#define ANNOT_TRACE_RECORD_AHEAD_H

#include "trace/decode/decode_sched.h"
#include "trace/file/merge.h"

#define AHEAD_NO_SLOT UINT16_MAX
#define AHEAD_NR_SLOTS (1u << COMM_CACHE_BITS)

/* A record. */
struct ahead_entry {
	uint64_t time_ns;
	struct plain_event plain; /* PLAIN_NONE: it comes as it is */
	int cpu;
	uint16_t slots
		[2]; /* of comms, in the order of plain_event's; AHEAD_NO_SLOT: none. Of PLAIN_NONE, it fills them */
	uint8_t buffer;
	bool missed; /* events were lost before it */
	uint32_t size;
	size_t first_byte; /* of what the batch has of it */
};

struct record_ahead;

/* Starts the thread. NULL: it cannot be. @merge and @decoder must outlive it; the latter may decode meanwhile. */
struct record_ahead *record_ahead_new(struct merge *merge, const struct decoder *decoder);
void record_ahead_free(struct record_ahead *ahead);

/*
 * The next record, until record_ahead_advance(). NULL at the end with 0 in @status, or with -1 after one line on stderr.
 */
const struct ahead_entry *record_ahead_head(struct record_ahead *ahead, int *status);
void record_ahead_advance(struct record_ahead *ahead);

/* The head, which comes as it is. */
struct raw_record record_ahead_raw(const struct record_ahead *ahead);

/* When the record before the head on its CPU was; the head says that events were lost since then. */
uint64_t record_ahead_lost_since_ns(const struct record_ahead *ahead);

/* The id of the comm in a slot. */
uint32_t record_ahead_comm(const struct record_ahead *ahead, uint16_t slot);
void record_ahead_set_comm(struct record_ahead *ahead, uint16_t slot, uint32_t comm);

#endif /* ANNOT_TRACE_RECORD_AHEAD_H */
