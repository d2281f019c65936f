// SPDX-License-Identifier: GPL-2.0
/*
 * exec(), while the task still is the program that calls it.
 *
 * What it has in its ring must be taken then: the rings stay behind with the memory, and once the
 * task has another nobody can say what in them is its own. The tracepoint sched_process_exec comes
 * too late. sched_prepare_exec does not, but there are kernels without it: there we are asked as a
 * format of binaries, ahead of all others, and know none.
 */
#include <linux/binfmts.h>
#include <linux/errno.h>
#include <linux/module.h>

#include "annot.h"

static int drain_before_exec(struct linux_binprm *bprm)
{
	annot_drain_own();
	annot_drain_tell_lost();
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
