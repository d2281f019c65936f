// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/kernel_slices.h"

#include <stdlib.h>
#include <string.h>

#include "model/table_rows.h"
#include "util/xalloc.h"

#define NO_NUMBER UINT64_MAX /* of a system call: sigreturn() exits so */

const char *kernel_kind_name(enum trace_kernel_kind kind)
{
	static const char *const names[NR_TRACE_KERNEL_KINDS] = {
		[TRACE_KERNEL_SYSCALL] = "system call", [TRACE_KERNEL_FUNCTION] = "kernel function",
		[TRACE_KERNEL_WORK] = "kernel work",	[TRACE_KERNEL_LOCK] = "kernel lock",
		[TRACE_KERNEL_FAULT] = "page fault",	[TRACE_KERNEL_LINE] = "print",
		[TRACE_KERNEL_PRIORITY] = "priority",	[TRACE_KERNEL_CGROUP] = "cgroup",
		[TRACE_KERNEL_HOTPLUG] = "CPU hotplug",
	};

	return names[kind];
}

const char *kernel_errno_name(int64_t result)
{
	/* ERESTARTSYS and the like, of linux/errno.h: a signal came, and the call is made again. */
	if (result <= -512 && result >= -516)
		return "ERESTART";
	return result < 0 && result >= -4095 ? strerrorname_np((int)-result) : NULL;
}

static uint8_t depth_below(const struct kernel_stack *stack)
{
	uint8_t depth;

	if (!stack->nr)
		return 0;
	depth = stack->open[stack->nr - 1].depth;
	return depth < UINT8_MAX ? depth + 1 : UINT8_MAX;
}

static size_t add_row(struct thread *thread, uint64_t start_ns, uint64_t end_ns, uint8_t depth,
		      const struct trace_event *event)
{
	struct kernel_slice_row row = {
		.start_ns = start_ns,
		.end_ns = end_ns,
		.name = event->kernel.name,
		.text = event->kernel.text,
		.kind = (uint8_t)event->kernel.kind,
		.depth = depth,
		.value = event->kernel.has_value ? event->kernel.value : 0,
	};

	if (event->kernel.has_value)
		row.flags |= KERNEL_HAS_VALUE;
	if (event->kernel.is_textless)
		row.flags |= KERNEL_TEXTLESS;
	if (event->kind == TRACE_KERNEL_MARK)
		row.flags |= KERNEL_MARK;
	return kernel_slice_table_add(&thread->kernel_slices, &row);
}

static void push(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns,
		 const struct trace_event *event)
{
	uint8_t depth = depth_below(stack);

	ARRAY_MAKE_ROOM(stack->open, stack->nr, stack->capacity);
	stack->open[stack->nr++] = (struct open_kernel_slice){
		.row = add_row(thread, time_ns, UINT64_MAX, depth, event),
		.key = event->kernel.key,
		.level = event->kernel.level,
		.kind = (uint8_t)event->kernel.kind,
		.depth = depth,
	};
}

/* Slices of other kinds may lie above it: events of two kinds need not nest. */
static void take_out(struct kernel_stack *stack, size_t at)
{
	stack->nr--;
	for (; at < stack->nr; at++)
		stack->open[at] = stack->open[at + 1];
}

static void end_unseen(struct kernel_stack *stack, struct thread *thread, size_t at)
{
	const struct open_kernel_slice *open = &stack->open[at];

	thread->kernel_slices.end_ns[open->row] = stack->last_ns;
	thread->kernel_slices.flags[open->row] |= KERNEL_OPEN_END;
	take_out(stack, at);
}

/* Whether @open cannot go on where a slice of its own kind begins. */
static bool must_have_ended(const struct open_kernel_slice *open, const struct trace_event *begin)
{
	switch (begin->kernel.kind) {
	case TRACE_KERNEL_SYSCALL:
	case TRACE_KERNEL_WORK:
		return true;
	case TRACE_KERNEL_FUNCTION:
		return open->level >= begin->kernel.level;
	default:
		return open->key == begin->kernel.key;
	}
}

static void end_contradicted(struct kernel_stack *stack, struct thread *thread,
			     const struct trace_event *begin)
{
	for (size_t at = stack->nr; at-- > 0;) {
		if (stack->open[at].kind == begin->kernel.kind &&
		    must_have_ended(&stack->open[at], begin))
			end_unseen(stack, thread, at);
	}
}

static struct open_kernel_slice *innermost(struct kernel_stack *stack, enum trace_kernel_kind kind)
{
	for (size_t at = stack->nr; at-- > 0;) {
		if (stack->open[at].kind == kind)
			return &stack->open[at];
	}
	return NULL;
}

/*
 * Whether @begin tells the same once more: a call that the systems "syscalls" and "raw_syscalls" both tell;
 * a lock for which the thread first spun, and then sleeps.
 */
static bool is_told_again(const struct kernel_slice_table *slices,
			  const struct open_kernel_slice *open, const struct trace_event *begin)
{
	if (!open || open->key != begin->kernel.key)
		return false;
	if (begin->kernel.kind == TRACE_KERNEL_LOCK)
		return slices->text[open->row] != begin->kernel.text;
	return begin->kernel.kind == TRACE_KERNEL_SYSCALL && open->level != begin->kernel.level;
}

/* The text with the names of arguments, or with how it waits in the end, is the better one. */
static void take_text(const struct open_kernel_slice *open, struct thread *thread,
		      const struct trace_event *begin)
{
	if (begin->kernel.text == TRACE_NO_STRING ||
	    (begin->kernel.kind == TRACE_KERNEL_SYSCALL && !begin->kernel.level))
		return;
	thread->kernel_slices.text[open->row] = begin->kernel.text;
	thread->kernel_slices.flags[open->row] &= (uint8_t)~KERNEL_TEXTLESS;
}

static void feed_begin(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns,
		       const struct trace_event *begin)
{
	const struct open_kernel_slice *open = innermost(stack, begin->kernel.kind);

	if (is_told_again(&thread->kernel_slices, open, begin)) {
		take_text(open, thread, begin);
		return;
	}
	end_contradicted(stack, thread, begin);
	push(stack, thread, time_ns, begin);
}

static bool is_end_of(const struct open_kernel_slice *open, const struct trace_event *end)
{
	if (open->kind != end->kernel.kind)
		return false;
	if (open->kind == TRACE_KERNEL_SYSCALL && end->kernel.key == NO_NUMBER)
		return true;
	return open->key == end->kernel.key &&
	       (open->kind != TRACE_KERNEL_FUNCTION || open->level == end->kernel.level);
}

/* The thread was in it when it was first seen. */
static void add_first(const struct kernel_stack *stack, struct thread *thread, uint64_t time_ns,
		      const struct trace_event *end)
{
	size_t row = add_row(thread, stack->born_ns, time_ns, 0, end);

	thread->kernel_slices.flags[row] |= KERNEL_OPEN_BEGIN;
}

/* A new thread comes out of a call that its creator went into; two systems may tell of an end. */
static bool needs_no_begin(const struct kernel_stack *stack, const struct trace_event *end)
{
	return end->kernel.kind == TRACE_KERNEL_SYSCALL &&
	       (stack->is_new || (stack->just_ended && stack->ended_key == end->kernel.key));
}

static void feed_unmatched_end(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns,
			       const struct trace_event *end)
{
	if (needs_no_begin(stack, end))
		return;
	if (!stack->is_started && end->kernel.kind == TRACE_KERNEL_SYSCALL && end->kernel.name &&
	    time_ns > stack->born_ns)
		add_first(stack, thread, time_ns, end);
	else
		thread->nr_unmatched_kernel_ends++;
}

static void feed_end(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns,
		     const struct trace_event *end)
{
	size_t at = stack->nr, row;

	while (at && !is_end_of(&stack->open[at - 1], end))
		at--;
	if (!at) {
		feed_unmatched_end(stack, thread, time_ns, end);
		return;
	}
	row = stack->open[at - 1].row;
	/* What is of its kind and above it, ended before. */
	for (size_t above = stack->nr; above-- > at;) {
		if (stack->open[above].kind == end->kernel.kind)
			end_unseen(stack, thread, above);
	}
	take_out(stack, at - 1);
	thread->kernel_slices.end_ns[row] = time_ns;
	if (!end->kernel.has_value)
		return;
	thread->kernel_slices.value[row] = end->kernel.value;
	thread->kernel_slices.flags[row] |= KERNEL_HAS_VALUE;
}

static void feed_mark(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns,
		      const struct trace_event *mark)
{
	size_t at = stack->nr;

	/* A thread that is not in the kernel is in no system call. */
	while (mark->kernel.kind == TRACE_KERNEL_FAULT && mark->kernel.level && at-- > 0) {
		if (stack->open[at].kind == TRACE_KERNEL_SYSCALL)
			end_unseen(stack, thread, at);
	}
	add_row(thread, time_ns, time_ns, depth_below(stack), mark);
}

static void note_event(struct kernel_stack *stack, uint64_t time_ns,
		       const struct trace_event *event)
{
	stack->last_ns = time_ns;
	stack->is_started = true;
	stack->is_new = false;
	stack->just_ended = event->kind == TRACE_KERNEL_END &&
			    event->kernel.kind == TRACE_KERNEL_SYSCALL;
	stack->ended_key = event->kernel.key;
}

void kernel_slices_feed(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns,
			const struct trace_event *event)
{
	if (event->kind == TRACE_KERNEL_BEGIN)
		feed_begin(stack, thread, time_ns, event);
	else if (event->kind == TRACE_KERNEL_END)
		feed_end(stack, thread, time_ns, event);
	else
		feed_mark(stack, thread, time_ns, event);
	note_event(stack, time_ns, event);
}

void kernel_slices_add_others_mark(struct kernel_stack *stack, struct thread *thread,
				   uint64_t time_ns, const struct trace_event *mark)
{
	/* Rows are in the order of their starts: none can begin before this one any more. */
	stack->is_started = true;
	add_row(thread, time_ns, time_ns, depth_below(stack), mark);
}

void kernel_slices_cut(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns)
{
	struct kernel_slice_table *slices = &thread->kernel_slices;

	stack->is_started = true;
	/* Its events since then are known. */
	if (time_ns < stack->last_ns)
		time_ns = stack->last_ns;
	while (stack->nr) {
		size_t row = stack->open[--stack->nr].row;

		slices->end_ns[row] = time_ns;
		slices->flags[row] |= KERNEL_OPEN_END;
	}
}

void kernel_stack_renumber(struct kernel_stack *stack)
{
	for (size_t at = 0; at < stack->nr; at++)
		stack->open[at].row = at;
}

void kernel_stack_free(struct kernel_stack *stack)
{
	free(stack->open);
	*stack = (struct kernel_stack){ 0 };
}
