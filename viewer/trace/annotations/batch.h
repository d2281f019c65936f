/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A batch of annotations -> events, one at a time. Nothing is copied. Nothing outside the batch is
 * read, whatever its words contain.
 */
#ifndef ANNOT_TRACE_ANNOTATIONS_BATCH_H
#define ANNOT_TRACE_ANNOTATIONS_BATCH_H

#include "trace/annotations/batch_words.h"
#include "trace/names/name_table.h"
#include "trace/event.h"

/* Converts the records' ages or ticks to times. Events of the module only need now_ns. */
struct batch_clock {
	uint64_t now_ns; /* time from which a record's age is subtracted */
	/*
	 * For records with ticks: until_ticks is at now_ns, and the ticks since since_ticks took
	 * length_ns.
	 */
	uint64_t since_ticks;
	uint64_t until_ticks;
	uint64_t length_ns;
};

/* Counts up to each record: @nr words each, in the file's byte order. */
struct batch_counts {
	const uint8_t *words;
	uint32_t nr;
	uint32_t invalid;
	uint32_t nr_records;
	uint32_t returned_at; /* value of nr_left when counts were last returned */
};

struct batch {
	const uint8_t *at; /* the next record, in the file's byte order */
	uint32_t nr_left;
	bool swap;
	bool is_raw; /* the records are those of trace/annot_raw.h, else those of an annot_batch */
	bool is_half_done; /* the end of a "next" was returned, with half_done_ns; its begin was not */
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
 * Starts @batch with the records in the @bytes at @words. There should be @nr; missing ones are
 * counted as lost. The bytes must stay valid until batch_is_over(). The caller sets all other
 * fields.
 */
void batch_begin(struct batch *batch, const char *words, size_t bytes, uint32_t nr,
		 struct trace_annotation_counts *counts);

/* Fills @event (the caller sets time and cpu). Returns false if no annotation is left. */
bool batch_next(struct batch *batch, struct trace_annotation_counts *counts,
		struct trace_event *event);

/*
 * Low-level access: batch_read() returns the current record, if the batch is not over; @counts may
 * be NULL. batch_step() moves to the next one.
 */
struct batch_record batch_read(const struct batch *batch, struct trace_annotation_counts *counts);
void batch_step(struct batch *batch);

static inline bool batch_is_over(const struct batch *batch)
{
	return !batch->nr_left;
}

#endif /* ANNOT_TRACE_ANNOTATIONS_BATCH_H */
