/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which process has which ranges.
 */
#ifndef ANNOT_KMOD_STACK_PROCESSES_H
#define ANNOT_KMOD_STACK_PROCESSES_H

#include <linux/types.h>

struct annot_stack_ranges;
struct task_struct;

/* Processes may have ranges from now on, until the end: then none has any. May sleep. */
int annot_stack_processes_begin(void);
void annot_stack_processes_end(void);

/*
 * @ranges take the place of those of the process @tgid of the caller's PID namespace; NULL: it has
 * none any more. Takes over the reference. Between begin and end.
 * Return: 0, or -ESRCH, -ENOSPC. Context: process.
 */
int annot_stack_processes_set(s32 tgid, struct annot_stack_ranges *ranges);

/* @parent has made the process @child. Context: process, preemption off. */
void annot_stack_processes_inherit(struct task_struct *parent, struct task_struct *child);

/* The current process ends, or executes another program. Context: process, preemption off. */
void annot_stack_processes_forget_own(void);

/* Of the current process, or NULL. Context: any, with preemption off; valid until it is on. */
const struct annot_stack_ranges *annot_stack_processes_find_own(void);

/* Whether @task's process has ranges. Context: any, with preemption off. */
bool annot_stack_processes_have(const struct task_struct *task);

#endif /* ANNOT_KMOD_STACK_PROCESSES_H */
