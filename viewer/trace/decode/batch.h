/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A batch of annotations -> events, one at a time; nothing is copied, and whatever the words of the
 * batch say, nothing beyond them is read.
 */
#ifndef ANNOT_TRACE_DECODE_BATCH_H
#define ANNOT_TRACE_DECODE_BATCH_H

#include "trace/decode/batch_words.h"
#include "trace/decode/name_table.h"
#include "trace/event.h"

/* When the records were made: of an event of the module, only now_ns. */
struct batch_clock {
	uint64_t now_ns; /* that which a record's age is counted back from */
	/* Of records that bear ticks: these, the last of which are now_ns, took length_ns. */
	uint64_t since_ticks;
	uint64_t until_ticks;
	uint64_t length_ns;
};

/* What was counted until each record: @nr words for each, in the file's byte order. */
struct batch_counts {
	const uint8_t *words;
	uint32_t nr;
	uint32_t invalid;
	uint32_t nr_records;
	uint32_t told_at; /* how many records were left when the last were told */
};

struct batch {
	const uint8_t *at; /* the next record, in the file's byte order */
	uint32_t nr_left;
	bool swap;
	bool is_raw; /* the records are those of trace/annot_raw.h, else those of an annot_batch */
	bool is_half_done; /* of a "next", the end was told, at half_done_ns; the begin is not */
	uint64_t half_done_ns;
	struct batch_clock clock;
	struct batch_counts counts;
	struct name_table *names;
	uint32_t table; /* of names */
	int32_t tid;
	int32_t owner_tid;
	int32_t tgid;
};

/*
 * Makes of @batch the records in the @bytes at @words, of which there should be @nr; what is
 * missing is counted as lost. The bytes must stay where they are until batch_is_over(). All else
 * in it is the caller's.
 */
void batch_begin(struct batch *batch, const char *words, size_t bytes, uint32_t nr,
		 struct trace_annotation_counts *counts);

/* Fills @event (time and cpu are the caller's). False: none of the rest is an annotation. */
bool batch_next(struct batch *batch, struct trace_annotation_counts *counts,
		struct trace_event *event);

/* The same by hand: the next record as it stands, there is one; @counts may be NULL. And past it. */
struct batch_record batch_read(const struct batch *batch, struct trace_annotation_counts *counts);
void batch_step(struct batch *batch);

static inline bool batch_is_over(const struct batch *batch)
{
	return !batch->nr_left;
}

#endif /* ANNOT_TRACE_DECODE_BATCH_H */
