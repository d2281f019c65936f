/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows of consecutive samples: how many different lines they hit, and whether they hit lines as by chance, so that the
 * lines that no sample hit can be estimated.
 *
 * Chao's estimates (chao_estimator.h) assume that each sample hits any line by chance. This fails for a program that goes
 * through its lines in the same order again and again, of whose accesses every nth is sampled: no line is hit again before
 * all others were, and the estimate is many times too large.
 *
 * If a line is hit exactly twice in a window of k samples, by chance, the two samples are any two of the k, whatever the other
 * lines are. The distance between them is at most x * k with probability x * (2 - x). In a fixed order, all distances are
 * equal and large. So the share of distances up to x * k is compared with that probability, in 16 steps of x (a one-sided
 * test after Kolmogorov and Smirnov). It may be 0.3 lower: with 32 lines, this happens by chance in one of 300 cases. A higher
 * share, as of lines that are used for a while only, makes estimates too low.
 *
 * By chance, half of a window has each hit of the whole with probability 1/2. So a line that is hit c times is in it with
 * probability 1 - 1 / 2^c (rarefaction). If windows half as large have far fewer lines than that, lines come in turn, and
 * many lines may not have been hit yet.
 */
#ifndef ANNOT_SAMPLED_WINDOWS_H
#define ANNOT_SAMPLED_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stats/chao_estimator.h"

struct sampled_line {
	uint64_t line;
	size_t at; /* which sample it is */
};

/* Of all windows of one size. */
struct sampled_windows {
	size_t size; /* samples of each */
	struct chao_counts mean; /* of one */
	double nr_twice; /* lines hit twice, of all */
	double too_far; /* by how much of their distances are too great */
	double nr_in_half; /* lines that half of one has, by chance */
	double nr_again; /* hits of a line that was hit before in its window */
	double nr_as_before; /* of these, as far from that as in the case before, in order of lines */
};

/* Of windows of @size of the @nr samples, which are sorted within them: O(nr log size). */
struct sampled_windows sampled_windows_compute(struct sampled_line *sampled_lines, size_t nr,
					       size_t size);

/* Whether lines are known to have been hit as by chance; @half are windows half as large. */
bool sampled_windows_are_random(const struct sampled_windows *windows,
				const struct sampled_windows *half);

/* Whether lines were hit twice, but not as by chance. */
bool sampled_windows_are_in_order(const struct sampled_windows *windows);

/* Whether all lines come round at the same distance. */
bool sampled_windows_are_regular(const struct sampled_windows *windows);

#endif /* ANNOT_SAMPLED_WINDOWS_H */
