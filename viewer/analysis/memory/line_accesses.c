// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/line_accesses.h"

#include <stdlib.h>

#include "util/xalloc.h"

void line_accesses_add(struct line_accesses *accesses, size_t first,
		       const struct line_access *access)
{
	for (size_t i = first; i < accesses->nr; i++) {
		struct line_access *row = &accesses->rows[i];

		if (row->thread != access->thread || row->address != access->address)
			continue;
		row->nr_samples += access->nr_samples;
		row->nr_stores += access->nr_stores;
		return;
	}
	ARRAY_MAKE_ROOM(accesses->rows, accesses->nr, accesses->capacity);
	accesses->rows[accesses->nr++] = *access;
}

static int compare(const void *a, const void *b)
{
	const struct line_access *first = a, *second = b;

	if (first->nr_samples != second->nr_samples)
		return first->nr_samples > second->nr_samples ? -1 : 1;
	return (first->sample > second->sample) - (first->sample < second->sample);
}

void line_accesses_sort(struct line_accesses *accesses, size_t first)
{
	if (first < accesses->nr)
		qsort(accesses->rows + first, accesses->nr - first, sizeof(*accesses->rows),
		      compare);
}

void line_accesses_free(struct line_accesses *accesses)
{
	free(accesses->rows);
	*accesses = (struct line_accesses){ 0 };
}
