/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An interval of a figure by the percentile method: of what it was in bootstrap samples, all but the 2.5 % at each end. It
 * covers the truth in 95 of 100 cases if blocks that are drawn are alike and many.
 */
#ifndef ANNOT_RESAMPLED_BOUNDS_H
#define ANNOT_RESAMPLED_BOUNDS_H

#include <stddef.h>

struct resampled_bounds {
	double low;
	double high;
};

/* Of @nr @values, one at least. Changes their order. */
struct resampled_bounds resampled_bounds_of(double *values, size_t nr);

#endif /* ANNOT_RESAMPLED_BOUNDS_H */
