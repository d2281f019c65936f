/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks get numbers, and the trace is told each of them once, and again from time to time.
 */
#ifndef ANNOT_KMOD_STACK_INTERN_H
#define ANNOT_KMOD_STACK_INTERN_H

#include <linux/types.h>

struct annot_stack_data;
struct stack_slot;

/* Stacks are numbered from now on, until the end. Return: 0 or -ENOMEM. May sleep. */
int annot_stacks_begin(void);
void annot_stacks_end(void);

/* Another recording is to be told all stacks that are used from now on. Context: any. */
void annot_stacks_renew(void);

/*
 * The number of @stack, after the trace has been told it. 0: nothing is numbered now. @known: where
 * those addresses were found the last time, or NULL; it is set to where they are now.
 * Context: any, NMIs too, with preemption off.
 */
u32 annot_stack_intern(const struct annot_stack_data *stack, struct stack_slot **known);

#endif /* ANNOT_KMOD_STACK_INTERN_H */
