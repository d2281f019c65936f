// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/chao_estimator.h"

#include <math.h>

struct chao_counts chao_count(const uint64_t *values, size_t nr)
{
	struct chao_counts distinct = { 0 };
	size_t end;

	for (size_t first = 0; first < nr; first = end) {
		for (end = first + 1; end < nr && values[end] == values[first]; end++)
			;
		distinct.nr++;
		distinct.once += end - first == 1;
		distinct.twice += end - first == 2;
	}
	return distinct;
}

/* What is added to those that were seen, where @part is the sampled part over what was not sampled. */
static double estimate_unseen(double once, double twice, double part)
{
	double below = 2 * twice + part * once;

	if (once <= 0)
		return 0;
	return below > 0 ? once * once / below : INFINITY;
}

double chao_estimate_of_part(const struct chao_counts *distinct, double share)
{
	double once = distinct->once, twice = distinct->twice;
	double part = share < 1 ? share / (1 - share) : INFINITY;

	if (once > distinct->nr / 2)
		return distinct->nr + estimate_unseen(once, twice, part);
	return distinct->nr + (once > 1 ? once * (once - 1) / (2 * (twice + 1) + part * once) : 0);
}

double chao_estimate(const struct chao_counts *distinct)
{
	return chao_estimate_of_part(distinct, 0);
}

double chao_estimate_recaptured(double half, double whole)
{
	double in_both = 2 * half - whole;

	return in_both > 0 ? half * half / in_both : INFINITY;
}
