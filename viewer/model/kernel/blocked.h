/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why threads fall asleep: rows of their cause tables. annot_blocked stands before the switch, the kernel's stack behind
 * it; a trace has one of them, both, or none. The stack knows better where a thread is uninterruptible, and where it is in
 * no system call: it then may wait for a disk, or for a lock of the kernel. Otherwise the call and its file tell more.
 */
#ifndef ANNOT_MODEL_BLOCKED_H
#define ANNOT_MODEL_BLOCKED_H

#include "model/builder_state.h"
#include "util/rare.h"

/* @event is TRACE_BLOCKED. */
void blocked_note(struct model_builder *builder, const struct trace_event *event);

/* Whatever was noted on @cpu is of no use any more: events are lost. */
void blocked_forget(struct model_builder *builder, int cpu);

/* blocked_leave() where something is noted. */
RARE void blocked_leave_noted(struct model_builder *builder, const struct trace_event *event);

/* @thread (or RUNNER_IDLE) is switched out by @event, and has left. */
static inline void blocked_leave(struct model_builder *builder, uint32_t thread,
				 const struct trace_event *event)
{
	struct cpu_build *cpu = &builder->cpus[event->cpu];

	cpu->left_tid = event->tid;
	cpu->left = thread;
	cpu->left_for = event->sw.reason;
	cpu->may_have_stack = true;
	if (cpu->blocked.tid)
		blocked_leave_noted(builder, event);
}

/* @event is a TRACE_KERNEL_STACK. Returns false if it is not that of the last switch on its CPU. */
bool blocked_add_stack(struct model_builder *builder, const struct trace_event *event);

#endif /* ANNOT_MODEL_BLOCKED_H */
