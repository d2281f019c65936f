// SPDX-License-Identifier: GPL-2.0
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include <uapi/annot.h>

#include "ftrace/events.h"
#include "stack/intern.h"
#include "stack/processes.h"
#include "stack/scratch.h"
#include "stack/stack.h"
#include "stack/walk.h"

/* With preemption off: RCU waits for what is read here. */
static u32 stack_take(struct pt_regs *regs)
{
	const struct annot_stack_ranges *ranges = annot_stack_processes_find_own();
	struct annot_stack_data stack = {
		.tgid = current->tgid,
		.kind = ANNOT_STACK_USER,
	};
	struct annot_stack_scratch scratch;
	struct stack_slot *none = NULL;
	struct annot_stack_walked walked;
	u32 id;

	/* Who has ranges is a process of a recording, which has words to write to. */
	if (!ranges || !annot_stack_scratch_get(&scratch))
		return 0;
	stack.ips = scratch.ips;
	walked = annot_stack_walk(regs, ranges, &scratch);
	stack.nr = walked.nr;
	stack.complete = walked.complete;
	id = stack.nr ? annot_stack_intern(&stack, walked.is_kept ? &scratch.memo->slot : &none) :
			0;
	annot_stack_scratch_put();
	return id;
}

u32 annot_stack_take_user(struct pt_regs *regs)
{
	u32 id;

	if (!annot_events_want_stacks() || !current->mm || current->flags & PF_KTHREAD)
		return 0;
	if (!regs || !user_mode(regs))
		regs = task_pt_regs(current);
	preempt_disable_notrace();
	id = stack_take(regs);
	preempt_enable_notrace();
	return id;
}
