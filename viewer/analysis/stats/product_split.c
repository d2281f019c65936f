// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/product_split.h"

#include <math.h>

#define NEARLY_EQUAL 1e-9

/* The logarithmic mean of two products whose logarithms differ by @log_ratio. */
static double logarithmic_mean(double from, double to, double log_ratio)
{
	return fabs(log_ratio) < NEARLY_EQUAL ? (from + to) / 2 : (to - from) / log_ratio;
}

void product_split(const double *from, const double *to, size_t nr, double *parts)
{
	double product_from = 1, product_to = 1, log_ratio = 0, mean;

	for (size_t i = 0; i < nr; i++) {
		product_from *= from[i];
		product_to *= to[i];
		log_ratio += log(to[i] / from[i]);
	}
	mean = logarithmic_mean(product_from, product_to, log_ratio);
	for (size_t i = 0; i < nr; i++)
		parts[i] = mean * log(to[i] / from[i]);
}
