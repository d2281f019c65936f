// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/holm.h"

#include <math.h>
#include <stdlib.h>

#include "util/xalloc.h"

static int compare_p_values(const void *a, const void *b)
{
	double first = **(double *const *)a, second = **(double *const *)b;

	return first < second ? -1 : first > second;
}

void holm_adjust(double *p_values, size_t nr)
{
	double **order = xcalloc(nr, sizeof(*order)), so_far = 0;

	for (size_t i = 0; i < nr; i++)
		order[i] = &p_values[i];
	if (nr)
		qsort(order, nr, sizeof(*order), compare_p_values);
	for (size_t i = 0; i < nr; i++) {
		so_far = fmax(so_far, fmin(*order[i] * (double)(nr - i), 1));
		*order[i] = so_far;
	}
	free(order);
}
