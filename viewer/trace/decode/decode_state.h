/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files that decode share: the decoder itself, and the fields of a record.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_STATE_H
#define ANNOT_TRACE_DECODE_DECODE_STATE_H

#include "trace/decode/batch.h"
#include "trace/decode/comm_cache.h"
#include "trace/event.h"
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

struct decoder;
struct event_layout;

/* Fills @event from @record; false: nothing to tell. */
typedef bool (*decode_fn)(struct decoder *decoder, const struct event_layout *layout,
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
struct field_position {
	uint16_t offset;
	uint16_t size;
	enum field_location location;
};

/* What decode_sched_plain() decodes, in a file of our byte order. */
enum plain_layout {
	PLAIN_NONE,
	PLAIN_SWITCH,
	PLAIN_WAKEUP,
	PLAIN_WAKING,
};

/* Where each event, of whatever kind, has what all of them have. */
struct common_fields {
	bool known;
	uint32_t min_bytes;
	struct field_position flags; /* of one byte */
	struct field_position pid; /* of four */
};

/* The same, resolved against the file's format: argument i of the spec is fields[i]. */
struct event_layout {
	decode_fn decode;
	enum plain_layout plain;
	enum trace_damage damage; /* what a record is booked as that cannot be read */
	uint32_t min_bytes; /* a record that is shorter cannot be read */
	struct field_position common_pid;
	struct field_position fields[MAX_ARGUMENTS];
	struct field_position optionals[MAX_OPTIONALS];
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
	struct dedup *dedup; /* NULL: there is but one buffer */
	struct batch batch; /* the one that is being unfolded */
	bool swap;
	bool is_mono; /* the trace's clock is CLOCK_MONOTONIC */
	struct state_masks states;
	uint8_t reason_of[NR_LOW_STATES]; /* by the whole of prev_state */
	int nr_layouts;
	struct event_layout *layouts;
	struct common_fields common;
	uint8_t layout_of_id[NR_EVENT_IDS]; /* 0: not wanted, else 1 + index in layouts */
	/* Children that task_newtask told of: sched_process_fork tells again, and less. */
	uint64_t *known_children;
	size_t known_children_words;
	struct cpu_cache caches[CPU_TOPOLOGY_MAX_CACHES]; /* of the CPU that was told of last */
	uint64_t words[MAX_WORDS]; /* of the array in the record that was decoded last */
};

/* Counts a record that is not as it should be. Returns false, for a decode_fn to return. */
static inline bool decode_damaged(struct decoder *decoder, enum trace_damage damage)
{
	decoder->nr_damaged[damage]++;
	return false;
}

#endif /* ANNOT_TRACE_DECODE_DECODE_STATE_H */
