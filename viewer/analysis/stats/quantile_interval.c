// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/quantile_interval.h"

#include "analysis/stats/binomial.h"
#include "util/lower_bound.h"

struct quantile_interval quantile_interval_of(size_t nr, double share, double coverage)
{
	double miss = (1 - coverage) / 2;
	/* The first rank that is not likely enough to be below the quantile. */
	size_t above = LOWER_BOUND(rank, 1, nr + 1, binomial_tail(nr, share, rank) >= 1 - miss);

	return (struct quantile_interval){
		.low = above - 1,
		.high = LOWER_BOUND(rank, 1, nr + 1, binomial_tail(nr, share, rank) > miss),
	};
}
