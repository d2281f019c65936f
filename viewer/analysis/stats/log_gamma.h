/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_LOG_GAMMA_H
#define ANNOT_LOG_GAMMA_H

#include <math.h>

/* lgamma(), which also sets a global variable: two threads must not do that at once. */
static inline double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

#endif /* ANNOT_LOG_GAMMA_H */
