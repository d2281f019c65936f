/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interval of a quantile by order statistics (Hahn, Meeker: Statistical Intervals, 5.2): of values that are drawn
 * independently, whatever their distribution. The r-th smallest of them is not above the true quantile if at least r values are
 * not, which the binomial distribution tells.
 */
#ifndef ANNOT_QUANTILE_INTERVAL_H
#define ANNOT_QUANTILE_INTERVAL_H

#include <stddef.h>

/* Ranks of sorted values, from 1 on: the interval has all from the one to the other. */
struct quantile_interval {
	size_t low; /* 0: there are too few values for this end */
	size_t high; /* beyond all values: likewise */
};

/*
 * Of @nr values and the quantile @share, more than 0 and less than 1: it covers the truth with a probability of @coverage at
 * least, and misses it at either end with half of the rest at most.
 */
struct quantile_interval quantile_interval_of(size_t nr, double share, double coverage);

#endif /* ANNOT_QUANTILE_INTERVAL_H */
