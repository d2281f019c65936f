/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sum over units of which only a random sample was seen: each unit with the same probability, 1 in R, whatever the
 * others. Horvitz and Thompson's estimate is R times what was seen, and has no bias, whatever the units are
 * (A Generalization of Sampling Without Replacement From a Finite Universe, JASA 47, 1952). Its variance is estimated as
 *
 *	R (R - 1) * the squares of the units' values + R * the variances of the values
 *
 * the latter for values that are themselves estimates: that is without bias, too.
 *
 * The interval has all sums that are not farther from the estimate than 1.96 standard deviations, if the variance is in
 * proportion to the sum. For units that count alike that is the score interval of a rate, which holds for few units, too,
 * where estimate +/- 1.96 standard deviations does not.
 */
#ifndef ANNOT_SAMPLED_SUM_H
#define ANNOT_SAMPLED_SUM_H

#include <stdbool.h>
#include <stddef.h>

/* Of fewer units, the sample does not tell how much they differ. */
#define SAMPLED_SUM_LEAST_UNITS 5

/* Of the units that were seen and whose value is not 0. */
struct sampled_sum {
	double sum;
	double squares;
	double variance; /* the sum of those of the values; 0: these are exact */
};

struct sum_estimate {
	double value;
	bool has_bounds; /* false: too few units were seen, or a few of them make most of the sum */
	double low; /* the truth is between them in 95 of 100 cases */
	double high;
};

void sampled_sum_add(struct sampled_sum *sum, double value, double variance);

/* Of units of which one in @one_of was seen. */
struct sum_estimate sampled_sum_estimate(const struct sampled_sum *sum, double one_of);

#endif /* ANNOT_SAMPLED_SUM_H */
