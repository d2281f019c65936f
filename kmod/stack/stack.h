/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stack of the user's calls, as a number that an event can carry.
 */
#ifndef ANNOT_KMOD_STACK_STACK_H
#define ANNOT_KMOD_STACK_STACK_H

#include <linux/types.h>

struct pt_regs;

/*
 * Of the current thread, which was interrupted with @regs, or is in a system call: then @regs are
 * the kernel's, or NULL. The trace is told the stack before this returns.
 * Context: any, NMIs too. It neither sleeps, nor allocates, nor takes a lock.
 *
 * Return: id of an annot_stack; 0 if nobody records stacks, the process has no ranges, or there is
 * no user code.
 */
u32 annot_stack_take_user(struct pt_regs *regs);

#endif /* ANNOT_KMOD_STACK_STACK_H */
