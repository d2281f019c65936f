/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files that decode share: the decoder itself, and the fields of a record.
 */
#ifndef ANNOT_TRACE_DECODE_INTERNAL_H
#define ANNOT_TRACE_DECODE_INTERNAL_H

#include "trace/decode/batch.h"
#include "trace/decode/comm_cache.h"
#include "trace/decode/decoder.h"
#include "trace/file/event_format.h"
#include "trace/decode/name_table.h"
#include "trace/decode/cpu_topology.h"
#include "trace/decode/raw_reader.h"
#include "trace/decode/dedup.h"

#define MAX_ARGUMENTS 9
#define MAX_OPTIONALS 3
#define NR_EVENT_IDS 65536
#define MAX_WORDS 64 /* registers of a sample, counts of a slice: fewer than that */

#define NR_LOW_STATES 256

struct layout;

/* Fills @event from @record; false: nothing to tell. */
typedef bool (*decode_fn)(struct decoder *decoder, const struct layout *layout,
			  const struct raw_record *record, struct trace_event *event);

/* What we want of one kind of event: none of the arguments may be missing, the optional ones may. */
struct event_spec {
	const char *system;
	const char *name;
	decode_fn decode;
	const char *arguments[MAX_ARGUMENTS];
	const char *optionals[MAX_OPTIONALS];
};

/* An event_field without its name: a layout is to be small. */
struct field_place {
	uint16_t offset;
	uint16_t size;
	enum field_location location;
};

/* What sched_decode_plain() decodes, in a file of our byte order. */
enum plain_layout {
	PLAIN_NONE,
	PLAIN_SWITCH,
	PLAIN_WAKEUP,
	PLAIN_WAKING,
};

/* Where each event, of whatever kind, has what all of them have. */
struct common_places {
	bool known;
	uint32_t min_bytes;
	struct field_place flags; /* of one byte */
	struct field_place pid; /* of four */
};

/* The same, resolved against the file's format: argument i of the spec is fields[i]. */
struct layout {
	decode_fn decode;
	enum plain_layout plain;
	enum trace_damage damage; /* what a record is booked as that cannot be read */
	uint32_t min_bytes; /* a record that is shorter cannot be read */
	struct field_place common_pid;
	struct field_place fields[MAX_ARGUMENTS];
	struct field_place optionals[MAX_OPTIONALS];
	bool has_optionals; /* all of them */
};

/* The bits of prev_state in the words we use; their values differ between kernels. */
struct state_masks {
	uint64_t blocked;
	uint64_t blocked_io;
	uint64_t stopped;
	uint64_t dead;
};

struct decoder {
	struct string_table *strings;
	struct comm_cache comms;
	struct trace_annotation_counts *counts;
	uint64_t *nr_damaged;
	struct name_table *names; /* of the module's batches */
	struct raw_reader *raw;
	struct repeats *repeats; /* NULL: there is but one buffer */
	struct batch batch; /* the one that is being unfolded */
	bool swap;
	bool is_mono; /* the trace's clock is CLOCK_MONOTONIC */
	struct state_masks states;
	uint8_t reason_of[NR_LOW_STATES]; /* by the whole of prev_state */
	int nr_layouts;
	struct layout *layouts;
	struct common_places common;
	uint8_t layout_of_id[NR_EVENT_IDS]; /* 0: not wanted, else 1 + index in layouts */
	/* Children that task_newtask told of: sched_process_fork tells again, and less. */
	uint64_t *known_children;
	size_t known_children_words;
	struct cpu_cache caches[PLACE_MAX_CACHES]; /* of the CPU that was told of last */
	uint64_t words[MAX_WORDS]; /* of the array in the record that was decoded last */
};

/* Of 1, 2, 4 or 8 bytes. */
uint64_t get_any_unsigned(const struct decoder *decoder, const struct field_place *field,
			  const struct raw_record *record);

static inline uint64_t get_unsigned(const struct decoder *decoder, const struct field_place *field,
				    const struct raw_record *record)
{
	if (field->size == 4)
		return read_u32(record->data + field->offset, decoder->swap);
	return get_any_unsigned(decoder, field, record);
}

static inline int32_t get_i32(const struct decoder *decoder, const struct field_place *field,
			      const struct raw_record *record)
{
	return (int32_t)get_unsigned(decoder, field, record);
}

/* Where a field's bytes lie; an empty place when the record does not hold all of them. */
const char *get_bytes(const struct decoder *decoder, const struct field_place *field,
		      const struct raw_record *record, size_t *bytes);

/* An array of u64 goes into decoder->words. -1: it is no such array, or one too long. */
int get_words(struct decoder *decoder, const struct field_place *field,
	      const struct raw_record *record);
uint32_t get_any_string(struct decoder *decoder, const struct field_place *field,
			const struct raw_record *record);

static inline uint32_t get_string(struct decoder *decoder, const struct field_place *field,
				  const struct raw_record *record)
{
	if (field->size == COMM_BYTES && field->location == FIELD_IN_PLACE)
		return comm_intern(&decoder->comms, decoder->strings,
				   (const char *)record->data + field->offset);
	return get_any_string(decoder, field, record);
}

/* Books a record that is not as it should be. Returns false, for a decode_fn to return. */
bool decode_damaged(struct decoder *decoder, enum trace_damage damage);

/* From @print, the print format of sched_switch, or "". */
void sched_set_states(struct decoder *decoder, const char *print);

/* What goes into layout->plain. */
enum plain_layout sched_plain_layout(const struct layout *layout);

/* A record of a plain layout, all of it. */
void sched_decode_plain(struct decoder *decoder, const struct layout *layout,
			const struct raw_record *record, struct trace_event *event);

bool decode_switch(struct decoder *decoder, const struct layout *layout,
		   const struct raw_record *record, struct trace_event *event);
bool decode_wakeup(struct decoder *decoder, const struct layout *layout,
		   const struct raw_record *record, struct trace_event *event);
bool decode_wakeup_new(struct decoder *decoder, const struct layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_waking(struct decoder *decoder, const struct layout *layout,
		   const struct raw_record *record, struct trace_event *event);
bool decode_migrate(struct decoder *decoder, const struct layout *layout,
		    const struct raw_record *record, struct trace_event *event);

/* Takes from @format, of any event, where each event has what all have. */
void other_take_format(struct decoder *decoder, const struct event_format *format);

/* Of an event that nothing else decodes: who ran. False: it does not tell. */
bool decode_other(const struct decoder *decoder, const struct raw_record *record,
		  struct trace_event *event);

/* Those of the module's events, and of ftrace's print and raw_data. */
bool decode_annot_begin(struct decoder *decoder, const struct layout *layout,
			const struct raw_record *record, struct trace_event *event);
bool decode_annot_end(struct decoder *decoder, const struct layout *layout,
		      const struct raw_record *record, struct trace_event *event);
bool decode_annot_mark(struct decoder *decoder, const struct layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_annot_counter(struct decoder *decoder, const struct layout *layout,
			  const struct raw_record *record, struct trace_event *event);
bool decode_annot_batch(struct decoder *decoder, const struct layout *layout,
			const struct raw_record *record, struct trace_event *event);
bool decode_annot_name(struct decoder *decoder, const struct layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_annot_lost(struct decoder *decoder, const struct layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_annot_config(struct decoder *decoder, const struct layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_raw_data(struct decoder *decoder, const struct layout *layout,
		     const struct raw_record *record, struct trace_event *event);
bool decode_annot_sample(struct decoder *decoder, const struct layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_annot_slice_counts(struct decoder *decoder, const struct layout *layout,
			       const struct raw_record *record, struct trace_event *event);

/* The counts of a batch that has just begun; and those until its next record, unless they were told. */
void begin_counts_of_batch(struct decoder *decoder, const struct layout *layout,
			   const struct raw_record *record);
bool decode_counts_of_batch(struct decoder *decoder, struct trace_event *event);
bool decode_annot_pmu_state(struct decoder *decoder, const struct layout *layout,
			    const struct raw_record *record, struct trace_event *event);
bool decode_print(struct decoder *decoder, const struct layout *layout,
		  const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_INTERNAL_H */
