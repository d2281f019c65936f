/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a walk writes its addresses and frames: too many for the stack of an NMI. And what it knows
 * of the walk before.
 */
#ifndef ANNOT_KMOD_STACK_SCRATCH_H
#define ANNOT_KMOD_STACK_SCRATCH_H

#include "stack/memo.h"

/*
 * @ips:	ANNOT_STACK_MAX words
 * @memo:	of the thread's walk before; NULL: there is none
 * @walked:	ANNOT_STACK_MAX frames, if there is a memo
 */
struct annot_stack_scratch {
	u64 *ips;
	struct annot_stack_memo *memo;
	struct annot_stack_frame *walked;
};

/* Return: 0 or -ENOMEM. May sleep, as the next one, before which nobody walks any more. */
int annot_stack_scratch_begin(void);
void annot_stack_scratch_end(void);

/*
 * To be put back if it is true: false if too many contexts have interrupted each other.
 * Context: any, with preemption off until it is put back.
 */
bool annot_stack_scratch_get(struct annot_stack_scratch *got);
void annot_stack_scratch_put(void);

#endif /* ANNOT_KMOD_STACK_SCRATCH_H */
