/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a walk writes its addresses: too many for the stack of an NMI.
 */
#ifndef ANNOT_KMOD_STACK_SCRATCH_H
#define ANNOT_KMOD_STACK_SCRATCH_H

#include <linux/types.h>

/* Return: 0 or -ENOMEM. May sleep, as the next one, before which nobody walks any more. */
int annot_stack_scratch_begin(void);
void annot_stack_scratch_end(void);

/*
 * ANNOT_STACK_MAX words, to be put back. NULL: too many contexts have interrupted each other.
 * Context: any, with preemption off until they are put back.
 */
u64 *annot_stack_scratch_get(void);
void annot_stack_scratch_put(void);

#endif /* ANNOT_KMOD_STACK_SCRATCH_H */
