/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The annotation spans of one thread while its trace is read: which of them are open.
 */
#ifndef ANNOT_MODEL_SPANS_H
#define ANNOT_MODEL_SPANS_H

#include "model/model.h"

struct span_stack {
	size_t nr;
	size_t capacity;
	size_t *open; /* indices in the thread's span column, the outermost first */
	uint64_t last_ns; /* of the thread's last annotation; spans were cut then, at the latest */
};

/*
 * When an annotation took place that says @time_ns: not before the one before it. False if it is
 * moved for that.
 */
bool span_stack_order(struct span_stack *stack, uint64_t *time_ns);

void span_begin(struct span_stack *stack, struct thread *thread, uint64_t time_ns,
		uint64_t drained_ns, const struct trace_event *begin);

/* An end without a begin, from before the trace, is counted in the thread. */
void span_end(struct span_stack *stack, struct thread *thread, uint64_t time_ns);

/* Cuts off what is open: its thread ended, became another program, or the trace is over. */
void spans_cut(struct span_stack *stack, struct thread *thread, uint64_t time_ns);

void span_stack_free(struct span_stack *stack);

#endif /* ANNOT_MODEL_SPANS_H */
