/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers pairs of ids from 0 on, in the order of first appearance.
 */
#ifndef ANNOT_UTIL_PAIR_TABLE_H
#define ANNOT_UTIL_PAIR_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct pair_table {
	size_t nr;
	size_t capacity; /* of slots; a power of two, or 0 */
	struct pair_slot *slots;
};

/* The number of the pair; @table->nr grows if it is new. Cost: constant, amortised. */
size_t pair_table_number(struct pair_table *table, uint32_t first, uint32_t second);
void pair_table_free(struct pair_table *table);

#endif /* ANNOT_UTIL_PAIR_TABLE_H */
