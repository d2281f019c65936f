// SPDX-License-Identifier: GPL-2.0
#include "util/sort.h"

#include <stdlib.h>

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
