// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/binomial.h"

#include <math.h>

double binomial_tail(uint64_t nr, double share, uint64_t least)
{
	double n = (double)nr, k = (double)least, term, sum = 0;

	if (!least)
		return 1;
	if (least > nr)
		return 0;
	term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(share) +
		   (n - k) * log1p(-share));
	for (; k <= n; k++) {
		sum += term;
		if (term < sum * 1e-12 && k > n * share)
			break;
		term *= (n - k) / (k + 1) * share / (1 - share);
	}
	return sum < 1 ? sum : 1;
}
