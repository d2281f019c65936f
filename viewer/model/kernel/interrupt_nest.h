/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interrupts of a CPU of which at least one is open, and those that ended within it.
 *
 * By its kind, one can only be inside of some others (trace/event.h). What it contradicts has ended,
 * and that was not seen. Such a one lasted, as far as is known, until the last sign of it:
 * the begin or end of another inside it, or its own begin.
 */
#ifndef ANNOT_MODEL_INTERRUPT_NEST_H
#define ANNOT_MODEL_INTERRUPT_NEST_H

#include "model/tables.h"
#include "trace/event.h"

struct interrupt_nest {
	int nr_open;
	size_t open[NR_TRACE_INTERRUPT_KINDS]; /* their rows, the innermost last */
	uint64_t ids[NR_TRACE_INTERRUPT_KINDS]; /* beside open */
	size_t nr;
	size_t capacity;
	struct interrupt_row *rows; /* by begin */
};

void interrupt_nest_free(struct interrupt_nest *nest);

/* The event contradicts some that are open: these end. */
void interrupt_nest_settle(struct interrupt_nest *nest, const struct trace_event *begin);

/* Opens another one, inside of those that are open. Its depth, end and flags are set here. */
void interrupt_nest_begin(struct interrupt_nest *nest, const struct interrupt_row *row, uint64_t id,
			  bool takes_time);

/* One whose begin was not seen is passed over. */
void interrupt_nest_end(struct interrupt_nest *nest, uint64_t time_ns,
			const struct trace_event *end);

/* The ends of all were not seen. */
void interrupt_nest_cut(struct interrupt_nest *nest);

#endif /* ANNOT_MODEL_INTERRUPT_NEST_H */
