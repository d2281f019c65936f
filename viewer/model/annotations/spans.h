/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The open spans of one thread during the build.
 */
#ifndef ANNOT_MODEL_SPANS_H
#define ANNOT_MODEL_SPANS_H

#include "model/model.h"
#include "model/annotations/team_waits.h"

struct span_stack {
	size_t nr;
	size_t capacity;
	size_t *open; /* rows of the thread's span table, the outermost first */
	struct team_wait_list team_waits; /* not among them */
	uint64_t last_ns; /* time of the thread's last annotation, or of a later spans_cut() */
};

/*
 * Moves @time_ns of an annotation behind the thread's previous one if it is before it. Returns
 * false if it moved it.
 */
bool span_stack_order(struct span_stack *stack, uint64_t *time_ns);

void span_begin(struct span_stack *stack, struct thread *thread, uint64_t time_ns,
		uint64_t drained_ns, const struct trace_event *begin);

/* The row of the innermost open span, or SIZE_MAX. */
static inline size_t span_stack_top(const struct span_stack *stack)
{
	return stack->nr ? stack->open[stack->nr - 1] : SIZE_MAX;
}

/* Counts an end without a begin in thread->nr_unmatched_ends. */
void span_end(struct span_stack *stack, struct thread *thread, uint64_t time_ns);

/* Ends all open spans, and waits for a team at the latest: the thread ended or executed another program, or the trace ends. */
void spans_cut(struct span_stack *stack, struct thread *thread, uint64_t time_ns);

void span_stack_free(struct span_stack *stack);

#endif /* ANNOT_MODEL_SPANS_H */
