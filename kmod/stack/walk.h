/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks the stack of the current process's calls.
 */
#ifndef ANNOT_KMOD_STACK_WALK_H
#define ANNOT_KMOD_STACK_WALK_H

#include <linux/types.h>

struct annot_stack_ranges;
struct annot_stack_scratch;
struct pt_regs;

/*
 * @regs: of user code. @scratch: gets the addresses. @complete: whether the walk came to the first
 * function of the thread. It reads at most three words a frame, and does not fault: memory that is
 * not there ends the walk. Context: any, NMIs too.
 *
 * Return: number of addresses.
 */
u32 annot_stack_walk(struct pt_regs *regs, const struct annot_stack_ranges *ranges,
		     const struct annot_stack_scratch *scratch, bool *complete);

#endif /* ANNOT_KMOD_STACK_WALK_H */
