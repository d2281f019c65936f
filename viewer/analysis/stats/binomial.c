// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/binomial.h"

#include <math.h>

#include "analysis/stats/log_gamma.h"

/* Terms that are smaller add nothing. */
#define NEGLIGIBLE 1e-16

/* P(Binomial(n, share) = k) */
static double probability(double n, double share, double k)
{
	return exp(log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1) + k * log(share) +
		   (n - k) * log1p(-share));
}

/* From @k, which is at the mean or above, upwards: terms fall. */
static double sum_upwards(double n, double share, double k)
{
	double term = probability(n, share, k), sum = 0;

	for (; k <= n && term > sum * NEGLIGIBLE; k++) {
		sum += term;
		term *= (n - k) / (k + 1) * share / (1 - share);
	}
	return sum;
}

/* From @k, which is below the mean, downwards: terms fall. */
static double sum_downwards(double n, double share, double k)
{
	double term = probability(n, share, k), sum = 0;

	for (; k >= 0 && term > sum * NEGLIGIBLE; k--) {
		sum += term;
		term *= k / (n - k + 1) * (1 - share) / share;
	}
	return sum;
}

double binomial_tail(uint64_t nr, double share, uint64_t least)
{
	double n = (double)nr, k = (double)least, tail;

	if (!least)
		return 1;
	if (least > nr)
		return 0;
	tail = k > n * share ? sum_upwards(n, share, k) : 1 - sum_downwards(n, share, k - 1);
	return fmin(fmax(tail, 0), 1);
}
