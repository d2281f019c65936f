/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sorting of numbers.
 */
#ifndef ANNOT_UTIL_SORT_H
#define ANNOT_UTIL_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Ascending. Cost: as sort_pairs(); of few numbers O(n log n). */
void sort_u64(uint64_t *values, size_t nr);

/* Ascending by the bits from @first_bit on; the order of those that differ only below is any. Costs less. */
void sort_u64_from_bit(uint64_t *values, size_t nr, unsigned int first_bit);

struct sort_pair {
	uint64_t key;
	uint64_t value;
};

/* Ascending by their keys; those of one key stay in order. Cost: O(n) for each 11 bits in which keys differ. */
void sort_pairs(struct sort_pair *pairs, size_t nr);

#endif /* ANNOT_UTIL_SORT_H */
