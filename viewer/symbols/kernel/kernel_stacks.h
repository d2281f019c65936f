/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks of the kernel -> their functions, and what a thread waits for that sleeps there, by the symbols
 * that are in the trace.
 */
#ifndef ANNOT_SYMBOLS_KERNEL_STACKS_H
#define ANNOT_SYMBOLS_KERNEL_STACKS_H

#include <stdbool.h>

#include "trace/trace.h"

struct kernel_stacks;

/* @trace must be open when the first stack is asked for: then its symbols are read. */
struct kernel_stacks *kernel_stacks_new(struct trace *trace);
void kernel_stacks_free(struct kernel_stacks *stacks);

/*
 * A trace_stack_resolver; @context is a struct kernel_stacks. A trace without symbols has addresses, and no causes.
 * Thread-safe: a trace and one that is reopened of it are read by two threads.
 */
struct trace_stack_text kernel_stacks_get(void *context, const uint64_t *ips, size_t nr);

/* Whether it is a function of the trace's own, or the scheduler's, that is innermost in each stack of a switch. */
bool kernel_function_is_of_switch(const char *name);

#endif /* ANNOT_SYMBOLS_KERNEL_STACKS_H */
