// SPDX-License-Identifier: GPL-2.0
#include <linux/preempt.h>
#include <linux/sched.h>

#include "blocked/waking.h"
#include "compat.h"
#include "ftrace/events.h"
#include "stack/processes.h"
#include "stack/stack.h"

/* An io_uring worker has the registers of the thread that made it. */
#define NOT_IN_A_PROGRAM (PF_KTHREAD | PF_IO_WORKER | ANNOT_PF_USER_WORKER)

void annot_waking_note(const struct task_struct *wakee)
{
	u32 stack;

	/* Whom an interrupt interrupts has nothing to do with what it wakes up. */
	if (!in_task() || wakee == current || current->flags & NOT_IN_A_PROGRAM ||
	    !annot_stack_processes_have(wakee))
		return;
	/* It is told first. */
	stack = annot_stack_take_user(NULL);
	if (stack)
		annot_events_emit_waking(wakee->pid, stack);
}
