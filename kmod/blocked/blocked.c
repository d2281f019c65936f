// SPDX-License-Identifier: GPL-2.0
#include <linux/compat.h>
#include <linux/sched.h>

#include "blocked/blocked.h"
#include "blocked/call.h"
#include "blocked/descriptor.h"
#include "blocked/futex.h"
#include "compat.h"
#include "ftrace/events.h"
#include "stack/stack.h"

/* An io_uring worker has the registers of the thread that made it. */
#define NOT_IN_A_CALL (PF_KTHREAD | PF_IO_WORKER | ANNOT_PF_USER_WORKER | PF_EXITING)

#define ASLEEP (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE | __TASK_STOPPED | __TASK_TRACED)

static void note_object(const struct annot_call *call, struct annot_blocked *blocked, char *name)
{
	switch (annot_call_kind(call)) {
	case ANNOT_CALL_DESCRIPTOR:
		annot_descriptor_note(call->args[0], blocked, name);
		break;
	case ANNOT_CALL_FUTEX:
		annot_futex_note(call, blocked);
		break;
	case ANNOT_CALL_OTHER:
		break;
	}
}

void annot_blocked_note(struct task_struct *prev, unsigned int state)
{
	char name[ANNOT_BLOCKED_NAME_BYTES];
	struct annot_blocked blocked = { .name = name };
	struct annot_call call;

	if (!(state & ASLEEP) || prev->flags & NOT_IN_A_CALL || !prev->mm)
		return;
	name[0] = '\0';
	annot_call_get(prev, &call);
	blocked.nr = call.nr;
	if (in_compat_syscall()) {
		blocked.flags = ANNOT_BLOCKED_COMPAT;
	} else if (call.nr >= 0) {
		memcpy(blocked.args, call.args, sizeof(blocked.args));
		note_object(&call, &blocked, name);
	}
	/* It is told first. */
	blocked.stack = annot_stack_take_user(NULL);
	annot_events_emit_blocked(&blocked);
}
