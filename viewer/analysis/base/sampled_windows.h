/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Windows of samples that follow each other: how many different lines they hit, and whether they hit them
 * as by chance, so that the lines that no sample hit can be estimated.
 *
 * Chao's estimates (distinct.h) take each sample to be of any line by chance. A program that goes through
 * its lines in the same order again and again, with one of so many accesses sampled, is another case: no
 * line is hit again before all others have had their turn, and what is estimated is many times too much.
 *
 * By chance, where a line is hit just twice in a window of k samples, the two are any two of the k,
 * whatever the other lines are and however often these are used: the distance between them is at most
 * x * k in x * (2 - x) of all cases. In a fixed order all are equally far apart, and far. So the share of
 * distances up to x * k is held against that, in a window of 16 steps of x (a one-sided test after
 * Kolmogorov and Smirnov): it may be less by 0.3, which is chance in one of 300 cases with 32 lines. That it
 * is more, as of lines that are used for a while and then not any more, makes estimates too low.
 *
 * By chance, half of a window has each hit of the whole in one of two cases, so a line that is hit c times
 * is in it in 1 - 1 / 2^c of all (rarefaction). If windows half as large have far fewer lines than that,
 * lines come in turn, and those that were not hit yet may be many.
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
