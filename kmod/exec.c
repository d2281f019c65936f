// SPDX-License-Identifier: GPL-2.0
/*
 * Drains a task's rings in exec(), while the task still is the program that calls it.
 *
 * This must happen then: the rings stay behind with the memory. Once the task has other memory,
 * nobody can say which records are its own. The tracepoint sched_process_exec comes too late.
 * sched_prepare_exec comes in time, but older kernels lack it. On those the module registers as a
 * binary format. The kernel asks it first, and it always answers that it does not know the binary.
 */
#include <linux/binfmts.h>
#include <linux/errno.h>
#include <linux/module.h>

#include "drain.h"
#include "exec.h"
#include "hooks.h"

static int drain_before_exec(struct linux_binprm *bprm)
{
	annot_drain_own();
	annot_drain_emit_lost();
	return -ENOEXEC;
}

static struct linux_binfmt exec_watch = {
	.module = THIS_MODULE,
	.load_binary = drain_before_exec,
};

void annot_exec_init(void)
{
	if (!annot_hooks_hear_of_exec())
		insert_binfmt(&exec_watch);
}

void annot_exec_exit(void)
{
	if (!annot_hooks_hear_of_exec())
		unregister_binfmt(&exec_watch);
}
