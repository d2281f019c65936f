// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/student_t.h"

#include <math.h>

#include "analysis/stats/log_gamma.h"

#define MOST_T 1e15

/* From the last term on that matters: it takes some times the root of @a or @b for the fraction to converge. */
static double continued_fraction(double x, double a, double b)
{
	double value = 1;

	for (int term = 40 + 8 * (int)sqrt(fmin(a + b, 1e6)); term > 0; term--) {
		double m = term / 2;
		double top = term % 2 ? -(a + m) * (a + b + m) : m * (b - m);
		double bottom = term % 2 ? (a + 2 * m) * (a + 2 * m + 1) :
					   (a + 2 * m - 1) * (a + 2 * m);

		value = 1 + top * x / bottom / value;
	}
	return value;
}

/* I(x; a, b); @y is 1 - x, which is more exact than subtracting. */
static double incomplete_beta(double x, double y, double a, double b)
{
	double front =
		exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(y));

	/* Where the fraction converges fast; elsewhere the other side's does. */
	if (x < (a + 1) / (a + b + 2))
		return front / a / continued_fraction(x, a, b);
	return 1 - front / b / continued_fraction(y, b, a);
}

double student_t_p_value(double t, double degrees)
{
	double square = t * t, sum = degrees + square;

	if (!(square > 0))
		return 1;
	if (fabs(t) >= MOST_T)
		return 0;
	return fmin(fmax(incomplete_beta(degrees / sum, square / sum, degrees / 2, 0.5), 0), 1);
}

double student_t_limit(double p, double degrees)
{
	double low = 0, high = 1;

	while (high < MOST_T && student_t_p_value(high, degrees) > p)
		high *= 2;
	/* As often as a double has bits. */
	for (int i = 0; i < 53; i++) {
		double middle = low + (high - low) / 2;

		if (student_t_p_value(middle, degrees) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}
