/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many different things there are, going by those that a sample of them has.
 */
#ifndef ANNOT_CHAO_ESTIMATOR_H
#define ANNOT_CHAO_ESTIMATOR_H

#include <stddef.h>
#include <stdint.h>

/* Of the values in a sample: how many are different, seen once, and seen twice. */
struct chao_counts {
	double nr;
	double once;
	double twice;
};

/* @values must be in order. */
struct chao_counts chao_count(const uint64_t *values, size_t nr);

/*
 * How many different ones there are with those that the sample missed, at least:
 *	nr + once^2 / (2 twice)
 * of Chao: Nonparametric Estimation of the Number of Classes in a Population, Scandinavian Journal of
 * Statistics 11, 1984; where at most half were seen once only, with once * (once - 1) / (2 (twice +
 * 1)) instead (the same, bias-corrected): a few stray ones then count as what they are. INFINITY:
 * none was seen twice, and most once.
 */
double chao_estimate(const struct chao_counts *distinct);

/*
 * The same where the sample is @share of all, and nothing was drawn twice: with r = share / (1 - share),
 *	nr + once^2 / (2 twice + r once)
 * of Chao, Lin: Nonparametric Lower Bounds for Species Richness and Shared Species Richness under
 * Sampling without Replacement, Biometrics 68, 2012. If all were seen once, all there are are different.
 */
double chao_estimate_of_part(const struct chao_counts *distinct, double share);

/*
 * How many there are where samples of equal size have @half different ones each, and two of them
 * together @whole: by those that both have,
 *	half^2 / (2 half - whole)
 * of Petersen and Lincoln (Seber: The Estimation of Animal Abundance, 1982, chapter 3). Too few where some
 * are seen more easily than others. INFINITY: both have none in common.
 */
double chao_estimate_recaptured(double half, double whole);

#endif /* ANNOT_CHAO_ESTIMATOR_H */
