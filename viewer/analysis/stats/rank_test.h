/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether one set of figures tends to be greater than another: Mann and Whitney's test (On a test of
 * whether one of two random variables is stochastically larger than the other, 1947), two-sided, by
 * its normal approximation with corrections for ties and for continuity.
 */
#ifndef ANNOT_RANK_TEST_H
#define ANNOT_RANK_TEST_H

#include <stddef.h>
#include <stdint.h>

struct rank_test {
	/* That one drawn from the second is greater than one from the first; equal ones count half.
	 * 0.5: neither tends to be. */
	double superiority;
	double p_value; /* 1 of no figures, or when all are equal */
};

/* Sorts both. Cost: O(n log n). */
struct rank_test rank_test(uint64_t *first, size_t nr_first, uint64_t *second, size_t nr_second);

#endif /* ANNOT_RANK_TEST_H */
