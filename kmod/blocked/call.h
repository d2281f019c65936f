/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system call that a thread is in.
 */
#ifndef ANNOT_KMOD_BLOCKED_CALL_H
#define ANNOT_KMOD_BLOCKED_CALL_H

#include <linux/types.h>

struct task_struct;

#define ANNOT_CALL_ARGUMENTS 6

/* @nr: -1 if the thread came into the kernel in another way, as by a page fault */
struct annot_call {
	int nr;
	u64 args[ANNOT_CALL_ARGUMENTS];
};

/* What the first argument of a call is, where that tells what is waited for. */
enum annot_call_kind {
	ANNOT_CALL_OTHER,
	ANNOT_CALL_DESCRIPTOR,
	ANNOT_CALL_FUTEX,
};

/* @task is the current one, and has a user's registers. */
void annot_call_get(struct task_struct *task, struct annot_call *call);

/* Of a call by the machine's own numbers. */
enum annot_call_kind annot_call_kind(const struct annot_call *call);

#endif /* ANNOT_KMOD_BLOCKED_CALL_H */
