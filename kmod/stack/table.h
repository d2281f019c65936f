/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table of unwinding: what user space made of a binary, checked. It does not change.
 */
#ifndef ANNOT_KMOD_STACK_TABLE_H
#define ANNOT_KMOD_STACK_TABLE_H

#include <linux/refcount.h>
#include <linux/types.h>

#include <uapi/annot.h>

/*
 * Its code is divided into blocks of equal size, a power of two, each with a few rows: so a row is
 * found in a few steps, however large the binary is.
 *
 * @refs:	of the file that it belongs to, and of each set of ranges that uses it
 * @block_bits:	of an address within a block
 * @firsts:	of each block, the number of its first row; and that behind the last row. They stand
 *		behind the rows.
 */
struct annot_stack_table {
	refcount_t refs;
	u32 nr;
	u32 nr_blocks;
	u32 block_bits;
	u32 *firsts;
	struct annot_unwind_row rows[];
};

/* Return: an error pointer if user space did wrong. May sleep. */
struct annot_stack_table *annot_stack_table_make(const struct annot_unwind_table *asked);
struct annot_stack_table *annot_stack_table_get(struct annot_stack_table *table);

/* May sleep. */
void annot_stack_table_put(struct annot_stack_table *table);

/* The row that holds at @pc, or NULL. Context: any. */
const struct annot_unwind_row *annot_stack_table_find(const struct annot_stack_table *table,
						      u32 pc);

#endif /* ANNOT_KMOD_STACK_TABLE_H */
