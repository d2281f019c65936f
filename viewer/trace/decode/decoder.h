/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records -> events: the meaning of each kind's fields. Positions of fields are resolved once per
 * format. A record then costs a table look-up and a few loads.
 */
#ifndef ANNOT_TRACE_DECODE_DECODER_H
#define ANNOT_TRACE_DECODE_DECODER_H

#include "trace/names/kernel_names.h"
#include "trace/names/printk_formats.h"
#include "trace/names/stack_table.h"
#include "trace/file/pages.h"
#include "util/string_table.h"
#include "trace/event.h"

struct decoder;

/*
 * All arguments must outlive the decoder. @counts and @nr_damaged (NR_TRACE_DAMAGES elements) grow
 * while records are decoded.
 */
struct decoder *decoder_new(struct string_table *strings, struct trace_annotation_counts *counts,
			    uint64_t *nr_damaged);
void decoder_free(struct decoder *decoder);

/* Set the file's byte order and the trace's clock before decoding records. */
void decoder_set_swap(struct decoder *decoder, bool swap);
void decoder_set_clock(struct decoder *decoder, const char *clock);

/* The machine that was recorded: it says what the numbers of system calls mean. */
void decoder_set_machine(struct decoder *decoder, const char *machine);

/* Where the kernel's symbols are read from, once they are needed. */
void decoder_use_symbols(struct decoder *decoder, kernel_symbols_reader *read, void *context);

/* Where the formats of trace_printk() are read from, once they are needed. */
void decoder_use_printk_formats(struct decoder *decoder, printk_formats_reader *read,
				void *context);

/* See trace_nr_textless(). */
uint64_t decoder_nr_textless(const struct decoder *decoder);

/* Names of annotations are shown as @resolve says. Set this before decoding records. */
void decoder_resolve_names(struct decoder *decoder, trace_name_resolver *resolve, void *context);

/* The same of stacks. */
void decoder_resolve_stacks(struct decoder *decoder, trace_stack_resolver *resolve, void *context);

/* The stacks so far. */
const struct stack_table *decoder_stacks(const struct decoder *decoder);

/* There is more than one buffer: records that are in several of them are decoded once. */
void decoder_set_dedup(struct decoder *decoder);

/*
 * An event_format_fn; @context is the decoder. Events of formats that are not decoded become
 * TRACE_OTHER: only their running thread is known.
 */
void decoder_add_format(void *context, const char *system, const char *text);

/*
 * Returns true and fills @event (the caller has set time and cpu). Returns false if the record is
 * not decoded, a repeat, or too short for its format.
 */
bool decoder_decode(struct decoder *decoder, const struct raw_record *record,
		    struct trace_event *event);

struct plain_comms;
struct plain_event;

/*
 * Reads a record of a plain layout (decode_sched.h). Returns false if it is another one, or damaged. The decoder may decode in
 * another thread meanwhile. Records that are in several buffers are read each time.
 */
bool decoder_read_plain(const struct decoder *decoder, const struct raw_record *record,
			struct plain_event *plain, struct plain_comms *comms);

/*
 * Fills @event with the type of the record and its running thread only, as TRACE_OTHER. Returns false if
 * the record is too short to have them.
 */
bool decoder_peek(const struct decoder *decoder, const struct raw_record *record,
		  struct trace_event *event);

/* Decodes the record if it is a switch, a new thread, a rename or an exec; else returns false. */
bool decoder_decode_comms(struct decoder *decoder, const struct raw_record *record,
			  struct trace_event *event);

/* "system:event"; "" if the file has no such format. */
const char *decoder_event_name(const struct decoder *decoder, uint16_t type);

/* The last record holds more events: decode it again to get the next one. */
bool decoder_wants_again(const struct decoder *decoder);

#endif /* ANNOT_TRACE_DECODE_DECODER_H */
