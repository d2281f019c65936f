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
 * @nr:		number of addresses
 * @complete:	the walk came to the first function of the thread
 * @is_kept:	the memo has all of them
 */
struct annot_stack_walked {
	u32 nr;
	bool complete;
	bool is_kept;
};

/*
 * @regs: of user code. @scratch: gets the addresses. It reads at most three words a frame, and does
 * not fault: memory that is not there ends the walk. Context: any, NMIs too.
 */
struct annot_stack_walked annot_stack_walk(struct pt_regs *regs,
					   const struct annot_stack_ranges *ranges,
					   const struct annot_stack_scratch *scratch);

#endif /* ANNOT_KMOD_STACK_WALK_H */
