// SPDX-License-Identifier: GPL-2.0
#include "analysis/distinct.h"

#include <math.h>
#include <stdlib.h>

struct distinct count_distinct(const uint64_t *values, size_t nr)
{
	struct distinct distinct = { 0 };
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

double estimate_distinct(const struct distinct *distinct)
{
	double once = distinct->once;

	if (once <= distinct->nr / 2)
		return distinct->nr + (once > 1 ? once * (once - 1) / (2 * (distinct->twice + 1)) : 0);
	if (!(distinct->twice > 0))
		return INFINITY;
	return distinct->nr + once * once / (2 * distinct->twice);
}

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

void sort_u64(uint64_t *values, size_t nr)
{
	if (nr)
		qsort(values, nr, sizeof(*values), compare);
}
