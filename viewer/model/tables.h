/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tables of a model: each is a struct of parallel arrays, its columns, in time order. tables.def
 * declares them and says what is in them. Times are nanoseconds since model.start_ns, so that they fit
 * what a page can compute with. Rows refer to a thread by its place in model.threads, to a string by
 * its id in the trace (trace_string()).
 */
#ifndef ANNOT_MODEL_TABLES_H
#define ANNOT_MODEL_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "model/states.h"

#define MODEL_NO_THREAD UINT32_MAX

/* Flags of a span. */
#define SPAN_HAS_VALUE 1u
#define SPAN_OPEN_END 2u /* no end was seen: it is cut at the thread's or the trace's end */

enum gap_kind {
	GAP_LOST, /* the trace says that events were lost */
	GAP_MISSING, /* it does not, but an event contradicts those before */
};

/* Sums over the rows before one of every STATE_CHECKPOINT_ROWS, so that any range of a thread's
 * life is added up from two of them and a few rows. Each row of states from STATE_PREEMPTED on, but
 * not STATE_RUNNABLE, is one switch-out. */
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

/* struct state_row, struct span_row ...: one row, but for its wide column. */
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

/* The address spaces of processes: fork makes one like the parent's, exec one that is empty. */
struct space_table {
	size_t nr;
	uint64_t *start_ns;
	uint32_t *parent; /* it began as a copy of that one; MODEL_NO_SPACE: empty */
	uint32_t *before; /* which the process (its pid, rather) had before */
	uint32_t *of_thread; /* the last one of each thread's process */
	size_t *first; /* what was mapped into it: rows[first[i]] to rows[first[i + 1]] */
	size_t *rows; /* of mapping_table, in time order */
};

void space_table_free(struct space_table *spaces);

/* The last row that starts at or before @time_ns, or SIZE_MAX. */
size_t column_find(const uint64_t *start_ns, size_t nr, uint64_t time_ns);

#endif /* ANNOT_MODEL_TABLES_H */
