/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of the decoder, shared by its files.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_STATE_H
#define ANNOT_TRACE_DECODE_DECODE_STATE_H

#include "trace/names/annotation_names.h"
#include "trace/annotations/batch.h"
#include "trace/names/comm_cache.h"
#include "trace/event.h"
#include "trace/file/event_format.h"
#include "trace/names/name_table.h"
#include "trace/lines/cpu_topology.h"
#include "trace/annotations/raw_reader.h"
#include "trace/names/blocked_texts.h"
#include "trace/names/stack_names.h"
#include "trace/names/stack_table.h"
#include "trace/names/text_memo.h"
#include "trace/decode/dedup.h"

#define MAX_ARGUMENTS 9
#define MAX_OPTIONALS 3
#define NR_EVENT_IDS 65536
#define MAX_REGISTERS 64 /* of a sample */
#define MAX_WORDS STACK_MOST_FRAMES

#define NR_LOW_STATES 256

struct decoder;
struct event_layout;
struct kernel_decoder;
struct named_syscall;
struct printk_formats;

/* Fills @event from @record. Returns false if there is no event. */
typedef bool (*decode_fn)(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);

/*
 * The fields that we read of one kind of event: all arguments are required, the optionals may be
 * missing.
 */
struct event_spec {
	const char *system;
	const char *name;
	decode_fn decode;
	const char *arguments[MAX_ARGUMENTS];
	const char *optionals[MAX_OPTIONALS];
};

/* An event_field without its name, so that layouts are small. */
struct field_position {
	uint16_t offset;
	uint16_t size;
	enum field_location location;
};

/* What decode_sched_plain() decodes, in a file of host byte order. */
enum plain_layout {
	PLAIN_NONE,
	PLAIN_SWITCH,
	PLAIN_WAKEUP,
	PLAIN_WAKING,
};

/* The positions of the fields that all events have. */
struct common_fields {
	bool known;
	uint32_t min_bytes;
	struct field_position flags; /* of one byte */
	struct field_position pid; /* of four */
};

/* An event_spec resolved against the file's format: argument i of the spec is fields[i]. */
struct event_layout {
	decode_fn decode;
	enum plain_layout plain;
	enum trace_damage damage; /* the damage that an unreadable record is counted as */
	uint32_t min_bytes; /* a shorter record cannot be read */
	struct field_position common_pid;
	struct field_position fields[MAX_ARGUMENTS];
	struct field_position optionals[MAX_OPTIONALS];
	bool has_optionals; /* all optionals are there */
	struct named_syscall *syscall; /* NULL: it is no event of a system call's own */
};

/* The bits of prev_state by meaning. Their values differ between kernels. */
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
	struct annotation_names *annotation_names;
	struct stack_names *stack_names; /* of the kernel */
	struct stack_table *stacks;
	struct blocked_texts *blocked_texts;
	struct name_table *names; /* names in batches of the module */
	struct raw_reader *raw;
	struct kernel_decoder *kernel;
	struct printk_formats *printk_formats;
	struct dedup *dedup; /* NULL: there is only one buffer */
	struct batch batch; /* the batch being read */
	bool swap;
	bool is_mono; /* the trace's clock is CLOCK_MONOTONIC */
	struct state_masks states;
	uint8_t reason_of[NR_LOW_STATES]; /* indexed by prev_state */
	size_t nr_layouts;
	size_t layouts_capacity;
	struct event_layout *layouts;
	struct common_fields common;
	char *name_of_id[NR_EVENT_IDS]; /* "system:event"; NULL: the file has no such format */
	uint16_t layout_of_id[NR_EVENT_IDS]; /* 0: not decoded; otherwise 1 + index in layouts */
	/*
	 * Children whose task_newtask was seen. Their sched_process_fork, which has fewer fields,
	 * is skipped.
	 */
	uint64_t *known_children;
	size_t known_children_words;
	struct cpu_cache caches[CPU_TOPOLOGY_MAX_CACHES]; /* of the last TRACE_CPU_TOPOLOGY */
	struct uncore_count uncore_counts[UNCORE_COUNTS_MAX]; /* of the last TRACE_UNCORE_COUNTS */
	uint64_t words[MAX_WORDS]; /* of the array in the last record */
	struct text_memo ipi_reasons; /* by caller, callback and sending CPU */
};

/* Counts a damaged record. Returns false, as the result of a decode_fn. */
static inline bool decode_damaged(struct decoder *decoder, enum trace_damage damage)
{
	decoder->nr_damaged[damage]++;
	return false;
}

#endif /* ANNOT_TRACE_DECODE_DECODE_STATE_H */
