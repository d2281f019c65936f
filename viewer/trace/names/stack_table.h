/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks, each kept once. Equal ones have equal ids, from 1 on; 0 is none.
 *
 * The module tells a stack by a number of its own, now and then, and names it by that number where it was taken. The
 * number may be used before it is told: then the stack has an id, and no frames until they come.
 */
#ifndef ANNOT_TRACE_NAMES_STACK_TABLE_H
#define ANNOT_TRACE_NAMES_STACK_TABLE_H

#include "trace/event.h"

#define STACK_MOST_FRAMES 128 /* those beyond are left out */

struct stack_table;

struct stack_table *stack_table_new(void);
void stack_table_free(struct stack_table *table);

/* The id of @stack, 0 if it has no frames. Its addresses are copied. */
uint32_t stack_table_intern(struct stack_table *table, const struct trace_stack *stack);

/* What the module's @number means, from now on and where it was used before it was told. */
void stack_table_tell(struct stack_table *table, uint32_t number, const struct trace_stack *stack);

/* The id of the stack that the module's @number names; 0 of 0. */
uint32_t stack_table_use(struct stack_table *table, uint32_t number);

/* Its addresses are valid until the next stack is added. Of an id that there is not, none. */
struct trace_stack stack_table_get(const struct stack_table *table, uint32_t id);

/* The number of ids so far. All ids are smaller. */
uint32_t stack_table_count(const struct stack_table *table);

#endif /* ANNOT_TRACE_NAMES_STACK_TABLE_H */
