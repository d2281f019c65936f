// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/resampled_bounds.h"

#include <stdlib.h>

#define PARTS 40 /* the least and the greatest of these are left out */

static int compare_doubles(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return first < second ? -1 : first > second;
}

struct resampled_bounds resampled_bounds_of(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare_doubles);
	return (struct resampled_bounds){ .low = values[nr / PARTS],
					  .high = values[nr - 1 - nr / PARTS] };
}
