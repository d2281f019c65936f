// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/metric_slices.h"

#include <stdlib.h>

#include "util/xalloc.h"

#define NEARLY_ALL 0.99

void metric_slices_add(struct metric_slices *slices, size_t row, uint64_t slice_ns,
		       uint64_t inside_ns)
{
	if ((double)inside_ns < NEARLY_ALL * (double)slice_ns) {
		slices->partial_ns += inside_ns;
		return;
	}
	ARRAY_MAKE_ROOM(slices->rows, slices->nr, slices->capacity);
	slices->rows[slices->nr++] = row;
}

void metric_slices_free(struct metric_slices *slices, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(slices[i].rows);
	free(slices);
}
