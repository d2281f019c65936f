/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of a model. Each table is a struct of parallel arrays, its columns, in time order.
 * tables.def declares and describes them. Times are nanoseconds since model.start_ns, so that
 * JavaScript's numbers can hold them. A thread is its index in model.threads; a string is its id in
 * the trace (trace_string()).
 */
#ifndef ANNOT_MODEL_TABLES_H
#define ANNOT_MODEL_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "model/states/states.h"

#define MODEL_NO_THREAD UINT32_MAX

/* Flags of a span. */
#define SPAN_HAS_VALUE 1u
#define SPAN_OPEN_END 2u /* no end was seen: it is cut at the thread's or the trace's end */
#define SPAN_OF_TEAM 4u /* a wait for the end of the team that its value numbers (team_waits.h) */

/* Flags of a message. */
#define MESSAGE_BACKWARD 1u /* it was received before it was sent, as far as the trace tells */
#define MESSAGE_CONTRADICTORY 2u /* send and receive do not belong together */
/* Flags of what a thread does in the kernel. */
#define KERNEL_HAS_VALUE 1u
#define KERNEL_OPEN_END 2u /* its end was not seen: it lasted at least so long */
#define KERNEL_OPEN_BEGIN 4u /* its begin was not seen: the same */
#define KERNEL_MARK 8u /* an instant, not a slice of no length */
#define KERNEL_TEXTLESS 16u /* it had arguments: see trace_nr_textless() */

/* Flags of a frame of a call stack. */
#define FRAME_KERNEL 1u
#define FRAME_INLINED 2u /* into its caller */
#define FRAME_WHOLE 4u /* of a stack's innermost one: the stack is known to reach to its end */

/* Flags of an interrupt. */
#define INTERRUPT_OPEN_END 1u /* no end was seen: it lasted to the row's end at least */
#define INTERRUPT_STEALS 2u /* from its thread, all of its time; not set within one that does */

/* Of an idle state. */
#define IDLE_STATE_UNKNOWN 255u
#define IDLE_STATE_OFFLINE 254u /* not idle: it runs nothing at all */
#define IDLE_OPEN_BEGIN 1u /* its begin was not seen: it lasted from the row's start at least */
#define IDLE_OPEN_END 2u /* its end was not seen: the same */

/* Flags of a request to a block device. */
#define BLOCK_OPEN_BEGIN 1u /* it began earlier, outside of a part of the trace */
#define BLOCK_OPEN_END 2u /* no completion was seen */
#define BLOCK_FAILED 4u

enum gap_kind {
	GAP_LOST, /* the trace says that events were lost */
	GAP_MISSING, /* the trace does not say so, but an event contradicts earlier ones */
};

/*
 * Sums over all rows before row i * STATE_CHECKPOINT_ROWS. The sums of any range of a thread are
 * the difference of two checkpoints and a few rows. Each row of a state from STATE_PREEMPTED on,
 * except STATE_RUNNABLE, is one switch-out.
 */
#define STATE_CHECKPOINT_ROWS 64

struct state_checkpoint {
	uint64_t state_ns[NR_THREAD_STATES];
	uint64_t nr_switches;
	uint64_t nr_preemptions;
	uint64_t nr_migrations;
};

/* struct state_table, struct span_table ...: nr rows, and the columns. */
#define TABLE(name, ...)      \
	struct name##_table { \
		size_t nr;
#define COLUMN(name, field, type, ...) type *field;
#define WIDE_COLUMN(name, field, type, ...) type *field;
#define FIELD(declaration, meaning) declaration;
#define ARRAY(type, field, meaning) type *field;
#define TABLE_END(name) \
	}               \
	;
#include "model/tables.def"

/* struct state_row, struct span_row ...: one row, without its wide column. */
#define TABLE(name, ...) struct name##_row {
#define COLUMN(name, field, type, ...) type field;
#define TABLE_END(name) \
	}               \
	;
#include "model/tables.def"

/* state_table_free() ...: frees the arrays, not the struct. */
#define TABLE(name, ...) void name##_table_free(struct name##_table *table);
#include "model/tables.def"

#define MODEL_NO_SPACE UINT32_MAX

/* The address spaces of processes. A fork makes a copy of the parent's, an exec an empty one. */
struct space_table {
	size_t nr;
	uint64_t *start_ns;
	uint32_t *parent; /* the space that it is a copy of; MODEL_NO_SPACE: it began empty */
	uint32_t *before; /* the previous space of the same process, by pid */
	uint32_t *of_thread; /* last space of each thread's process */
	size_t *first; /* mappings of space i: rows[first[i]] to rows[first[i + 1]] */
	size_t *rows; /* of mapping_table, in time order */
};

void space_table_free(struct space_table *spaces);

/* The last row that starts at or before @time_ns, or SIZE_MAX. */
size_t column_find(const uint64_t *start_ns, size_t nr, uint64_t time_ns);

#endif /* ANNOT_MODEL_TABLES_H */
