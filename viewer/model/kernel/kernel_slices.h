/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a thread does in the kernel: system calls, functions, ... as nested slices of the thread.
 *
 * Of each kind of events, ends may be missing or begins may be. Slices never have a made-up length:
 * - A slice that is open where the thread ends, where the trace ends, or where events were lost that may be
 *   of the thread, ends there, with KERNEL_OPEN_END.
 * - If a begin says that an earlier end is missing (a system call within another, a function at the depth of
 *   another), the slice ends with the last event of the thread that came while it was open.
 * - An end without a begin is left out and counted, but for a system call in which a thread is when it is
 *   first seen: that has KERNEL_OPEN_BEGIN, and begins then.
 */
#ifndef ANNOT_MODEL_KERNEL_SLICES_H
#define ANNOT_MODEL_KERNEL_SLICES_H

#include "model/model.h"

/* An open slice. */
struct open_kernel_slice {
	size_t row;
	uint64_t key;
	int32_t level;
	uint8_t kind;
	uint8_t depth;
};

/* Of one thread, during the build. */
struct kernel_stack {
	size_t nr;
	size_t capacity;
	struct open_kernel_slice *open; /* the outermost first */
	uint64_t
		last_ns; /* of the thread's last event of these kinds: until then all of them were open */
	uint64_t born_ns; /* when the thread was first seen */
	bool is_new; /* it was created in the trace, and had no event of these kinds so far */
	bool is_started; /* it had such an event, or a loss */
	bool just_ended; /* its last event was the end of system call ended_key */
	uint64_t ended_key;
};

/* "system call", ... */
const char *kernel_kind_name(enum trace_kernel_kind kind);

/* "ENOENT" of a result of -2; NULL: it is no error. The numbers are those of x86, arm64 and riscv. */
const char *kernel_errno_name(int64_t result);

/* Feeds an event of the kinds TRACE_KERNEL_*. */
void kernel_slices_feed(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns,
			const struct trace_event *event);

/* A mark of what another thread does to this one: it tells nothing of what this one does meanwhile. */
void kernel_slices_add_others_mark(struct kernel_stack *stack, struct thread *thread,
				   uint64_t time_ns, const struct trace_event *mark);

/* Ends all open slices: it is not known what the thread does from then on. */
void kernel_slices_cut(struct kernel_stack *stack, struct thread *thread, uint64_t time_ns);

/* The open slices are now the first rows of the table: all others have left it. */
void kernel_stack_renumber(struct kernel_stack *stack);

void kernel_stack_free(struct kernel_stack *stack);

#endif /* ANNOT_MODEL_KERNEL_SLICES_H */
