/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ranges of a process: which table is for which of its code. They do not change; other ranges
 * take their place.
 */
#ifndef ANNOT_KMOD_STACK_RANGES_H
#define ANNOT_KMOD_STACK_RANGES_H

#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <uapi/annot.h>

struct annot_stack_table;

/* @table: NULL: this code keeps frame pointers */
struct annot_stack_range {
	u64 start;
	u64 end;
	u64 base;
	struct annot_stack_table *table;
};

/*
 * @generation:	no others have or had it; not 0
 * @refs:	of each process that has them
 */
struct annot_stack_ranges {
	u64 generation;
	refcount_t refs;
	u32 nr;
	struct rcu_work free_work;
	struct annot_stack_range ranges[];
};

int annot_stack_ranges_init(void);
void annot_stack_ranges_exit(void);

/*
 * Of what user space asks. @tables: by number, from 1 on; @nr_tables of them.
 * Return: an error pointer if it did wrong. May sleep.
 */
struct annot_stack_ranges *annot_stack_ranges_make(const struct annot_unwind_ranges *asked,
						   struct annot_stack_table **tables,
						   u32 nr_tables);
struct annot_stack_ranges *annot_stack_ranges_get(struct annot_stack_ranges *ranges);

/* They are freed after RCU's grace period. Context: any but NMI. */
void annot_stack_ranges_put(struct annot_stack_ranges *ranges);

/* The range of @address, or NULL. Context: any. */
const struct annot_stack_range *annot_stack_ranges_find(const struct annot_stack_ranges *ranges,
							u64 address);

#endif /* ANNOT_KMOD_STACK_RANGES_H */
