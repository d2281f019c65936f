// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/sampled_sum.h"

#include <math.h>

#define Z 1.959964 /* 95 % */

void sampled_sum_add(struct sampled_sum *sum, double value, double variance)
{
	sum->sum += value;
	sum->squares += value * value;
	sum->variance += variance;
}

/* How many units would make the same error if all counted alike. */
static double effective_units(const struct sampled_sum *sum)
{
	return sum->squares > 0 ? sum->sum * sum->sum / sum->squares : 0;
}

struct sum_estimate sampled_sum_estimate(const struct sampled_sum *sum, double one_of)
{
	struct sum_estimate estimate = { .value = sum->sum * one_of };
	double variance = one_of * ((one_of - 1) * sum->squares + sum->variance);
	double middle, half;

	/* Of units that count alike, it is their number, but for rounding. */
	if (effective_units(sum) < SAMPLED_SUM_LEAST_UNITS - 1e-9)
		return estimate;
	middle = Z * Z * variance / estimate.value / 2;
	half = sqrt(Z * Z * variance + middle * middle);
	estimate.has_bounds = true;
	estimate.low = estimate.value + middle - half;
	estimate.high = estimate.value + middle + half;
	return estimate;
}
