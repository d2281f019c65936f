/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records -> events: what the fields of each kind of event mean. Where the fields lie is resolved
 * once per format; a record costs a table look-up and a few loads.
 */
#ifndef ANNOT_TRACE_DECODE_DECODER_H
#define ANNOT_TRACE_DECODE_DECODER_H

#include "trace/file/pages.h"
#include "util/string_table.h"
#include "trace/event.h"

struct decoder;

/*
 * All must stay as long as the decoder; @counts and @nr_damaged (of NR_TRACE_DAMAGES) grow while
 * records are decoded.
 */
struct decoder *decoder_new(struct string_table *strings, struct trace_annotation_counts *counts,
			    uint64_t *nr_damaged);
void decoder_free(struct decoder *decoder);

/* To be known before records are decoded: the file's byte order, and the trace's clock. */
void decoder_set_swap(struct decoder *decoder, bool swap);
void decoder_set_clock(struct decoder *decoder, const char *clock);

/* There is more than one buffer: what stands in several of them is decoded once. */
void decoder_set_dedup(struct decoder *decoder);

/*
 * An event_format_fn: @context is the decoder. Formats of no interest are passed over; of their events
 * it is known but who ran (TRACE_OTHER).
 */
void decoder_add_format(void *context, const char *system, const char *text);

/*
 * Returns true with @event filled (time and cpu are the caller's, and are there already), false when
 * the record is of no interest, was decoded before, or is too short for its format.
 */
bool decoder_decode(struct decoder *decoder, const struct raw_record *record,
		    struct trace_event *event);

/* The record that was decoded last holds more events: it must be decoded again, for the next. */
bool decoder_wants_again(const struct decoder *decoder);

#endif /* ANNOT_TRACE_DECODE_DECODER_H */
