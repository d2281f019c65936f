/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel stacks, as addresses -> as they are shown, each asked for once.
 */
#ifndef ANNOT_TRACE_NAMES_STACK_NAMES_H
#define ANNOT_TRACE_NAMES_STACK_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"
#include "util/string_table.h"

struct stack_names;

/* String ids. */
struct stack_name {
	uint32_t cause; /* TRACE_NO_STRING: not known */
	uint32_t text; /* functions, the innermost first */
};

/* @strings gets what is shown, and must outlive the names. */
struct stack_names *stack_names_new(struct string_table *strings);
void stack_names_free(struct stack_names *names);

/* From now on stacks are shown as @resolve says. Without that, they are shown as addresses. */
void stack_names_resolve(struct stack_names *names, trace_stack_resolver *resolve, void *context);

/* Of the stack with that id, whose @nr return addresses are at @ips, the innermost first. */
struct stack_name stack_names_get(struct stack_names *names, uint32_t id, const uint64_t *ips,
				  size_t nr);

#endif /* ANNOT_TRACE_NAMES_STACK_NAMES_H */
