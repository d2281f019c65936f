// SPDX-License-Identifier: GPL-2.0
#include "model/annotations/spans.h"

#include <stdlib.h>

#include "model/table_rows.h"
#include "util/xalloc.h"

bool span_stack_order(struct span_stack *stack, uint64_t *time_ns)
{
	if (*time_ns < stack->last_ns) {
		*time_ns = stack->last_ns;
		return false;
	}
	stack->last_ns = *time_ns;
	return true;
}

void span_begin(struct span_stack *stack, struct thread *thread, uint64_t time_ns,
		uint64_t drained_ns, const struct trace_event *begin)
{
	ARRAY_MAKE_ROOM(stack->open, stack->nr, stack->capacity);
	stack->open[stack->nr] = span_table_add(&thread->spans, time_ns, drained_ns, begin,
						stack->nr);
	stack->nr++;
}

void span_end(struct span_stack *stack, struct thread *thread, uint64_t time_ns)
{
	if (!stack->nr) {
		thread->nr_unmatched_ends++;
		return;
	}
	thread->spans.end_ns[stack->open[--stack->nr]] = time_ns;
}

void spans_cut(struct span_stack *stack, struct thread *thread, uint64_t time_ns)
{
	stack->last_ns = time_ns;
	team_waits_bound(&stack->team_waits, time_ns);
	while (stack->nr) {
		size_t span = stack->open[--stack->nr];

		thread->spans.end_ns[span] = time_ns;
		thread->spans.flags[span] |= SPAN_OPEN_END;
	}
}

void span_stack_free(struct span_stack *stack)
{
	free(stack->open);
	*stack = (struct span_stack){ 0 };
}
