/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_DISTRIBUTION_H
#define ANNOT_DISTRIBUTION_H

#include <stddef.h>
#include <stdint.h>

struct distribution {
	uint64_t sum;
	uint64_t min;
	uint64_t median; /* of an even number of values: between the middle two, rounded down */
	uint64_t max;
};

/* The median of values of which these are the middle two, or twice the middle one. */
static inline uint64_t distribution_middle(uint64_t lower, uint64_t upper)
{
	return lower + (upper - lower) / 2;
}

/*
 * Puts in place @k, of @nr, what sorting would put there, with nothing greater before it and nothing
 * smaller behind it.
 */
void distribution_select_nth(uint64_t *values, size_t nr, size_t k);

/* Of @values, and of so many zeros besides. All 0 of no values. Changes the order of @values. */
struct distribution distribution_of(uint64_t *values, size_t nr, size_t nr_zeros);

#endif /* ANNOT_DISTRIBUTION_H */
