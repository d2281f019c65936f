// SPDX-License-Identifier: GPL-2.0
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "stack/memory.h"
#include "stack/table.h"

#define PLT_ENTRY_BYTES 16 /* x86-64 */

/* A check of so many rows takes less than a millisecond. */
#define ROWS_AT_ONCE 4096

#define ROWS_PER_BLOCK 4

/* More than one: of 32 bits, at most 31 are of an address within a block. */
static u32 blocks_of(u32 nr)
{
	return nr / ROWS_PER_BLOCK + 2;
}

static size_t table_bytes(u32 nr)
{
	return struct_size_t(struct annot_stack_table, rows, nr) +
	       (blocks_of(nr) + 1) * sizeof(u32);
}

#ifdef CONFIG_X86_64

static bool row_is_valid(const struct annot_unwind_row *row)
{
	if (row->rule > ANNOT_UNWIND_ALIGNED)
		return false;
	return row->rule != ANNOT_UNWIND_PLT || row->cfa < PLT_ENTRY_BYTES;
}

#else

static bool row_is_valid(const struct annot_unwind_row *row)
{
	u8 where = row->rule & ANNOT_UNWIND_WHERE;

	switch (row->rule & ~ANNOT_UNWIND_WHERE) {
	case ANNOT_UNWIND_UNKNOWN:
	case ANNOT_UNWIND_END:
	case ANNOT_UNWIND_SIGNAL:
		return !where;
	case ANNOT_UNWIND_SP:
	case ANNOT_UNWIND_BP:
		return true;
	default:
		return false;
	}
}

#endif

static bool rows_are_valid(const struct annot_unwind_row *rows, u32 nr)
{
	u32 i;

	for (i = 0; i < nr; i++) {
		if (!row_is_valid(&rows[i]) || (i && rows[i - 1].pc >= rows[i].pc))
			return false;
		if (i % ROWS_AT_ONCE == 0)
			cond_resched();
	}
	return true;
}

static void table_divide(struct annot_stack_table *table)
{
	u32 last = table->rows[table->nr - 1].pc;
	u32 block = 0, i;

	table->firsts = (u32 *)&table->rows[table->nr];
	table->nr_blocks = blocks_of(table->nr);
	while (last >> table->block_bits >= table->nr_blocks)
		table->block_bits++;
	for (i = 0; i < table->nr; i++) {
		while (block <= table->rows[i].pc >> table->block_bits)
			table->firsts[block++] = i;
		if (i % ROWS_AT_ONCE == 0)
			cond_resched();
	}
	while (block <= table->nr_blocks)
		table->firsts[block++] = table->nr;
}

struct annot_stack_table *annot_stack_table_make(const struct annot_unwind_table *asked)
{
	struct annot_stack_table *table;
	int err = -EFAULT;

	if (!asked->nr || asked->nr > ANNOT_UNWIND_ROWS_MAX || asked->reserved)
		return ERR_PTR(-EINVAL);
	table = annot_stack_memory_get(table_bytes(asked->nr));
	if (IS_ERR(table))
		return table;
	refcount_set(&table->refs, 1);
	table->nr = asked->nr;
	table->block_bits = 0;
	if (!copy_from_user(table->rows, u64_to_user_ptr(asked->rows),
			    array_size(asked->nr, sizeof(*table->rows))))
		err = rows_are_valid(table->rows, table->nr) ? 0 : -EINVAL;
	if (!err) {
		table_divide(table);
		return table;
	}
	annot_stack_table_put(table);
	return ERR_PTR(err);
}

struct annot_stack_table *annot_stack_table_get(struct annot_stack_table *table)
{
	refcount_inc(&table->refs);
	return table;
}

void annot_stack_table_put(struct annot_stack_table *table)
{
	if (refcount_dec_and_test(&table->refs))
		annot_stack_memory_put(table, table_bytes(table->nr));
}

const struct annot_unwind_row *annot_stack_table_find(const struct annot_stack_table *table, u32 pc)
{
	u32 block = pc >> table->block_bits;
	u32 low, high;

	if (block >= table->nr_blocks)
		return &table->rows[table->nr - 1];
	low = table->firsts[block];
	high = table->firsts[block + 1];
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (table->rows[middle].pc <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &table->rows[low - 1] : NULL;
}
