/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the means of two sets of values differ by more than chance, and by how much: Welch's test, of sets that are small and
 * vary differently (The Generalization of Student's Problem when Several Different Population Variances are Involved,
 * Biometrika 34, 1947). The error of the difference is
 *	e^2 = v1 / n1 + v2 / n2, with degrees of freedom e^4 / ((v1 / n1)^2 / (n1 - 1) + (v2 / n2)^2 / (n2 - 1))
 * of n values with the variance v (Satterthwaite).
 *
 * A change is the ratio of the means less 1. It is tested on the logarithm of the ratio, as 5 % of noise is 5 % of a long time and of
 * a short one; by the delta method, the variance of ln(mean) is that of the mean over its square (Casella, Berger: Statistical
 * Inference, 5.5.4). Where a mean is not above 0 there is no ratio, and the difference is tested.
 *
 * Of one value alone, the variance is taken to be that of the other set: of its ratio, or itself. Of two such, nothing is known.
 */
#ifndef ANNOT_WELCH_TEST_H
#define ANNOT_WELCH_TEST_H

#include <stdbool.h>
#include <stddef.h>

#define WELCH_COVERAGE 0.95

/* Of values: how many, their mean, and their variance (of one or none: 0). */
struct sample {
	size_t nr;
	double mean;
	double variance;
};

struct sample sample_of(const double *values, size_t nr);

/* The standard deviation as a share of the mean; 0 where that is not above 0. */
double sample_noise(const struct sample *sample);

struct welch_test {
	bool has_ratio; /* estimate, low and high are changes; else differences */
	bool is_tested; /* there are three values or more: low, high and p_value are known */
	double estimate;
	double low; /* an interval that covers the truth in 95 of 100 cases */
	double high;
	double p_value; /* two-sided; 1 where nothing is known */
};

/* Of one value each, at least. */
struct welch_test welch_test_of_ratio(const struct sample *before, const struct sample *after);
struct welch_test welch_test_of_difference(const struct sample *before, const struct sample *after);

#endif /* ANNOT_WELCH_TEST_H */
