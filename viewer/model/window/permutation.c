// SPDX-License-Identifier: GPL-2.0
#include "model/window/permutation.h"

#include <stdlib.h>

#include "util/spill/spill.h"

static int compare(const void *a, const void *b)
{
	const struct place *first = a, *second = b;

	if (first->key != second->key)
		return first->key < second->key ? -1 : 1;
	return first->row < second->row ? -1 : first->row > second->row;
}

void permutation_sort(struct place *places, size_t nr)
{
	qsort(places, nr, sizeof(*places), compare);
}

size_t *permutation_by(const uint64_t *keys, size_t nr)
{
	struct place *places = spill_zeroed(nr + 1, sizeof(*places));
	size_t *rows = spill_zeroed(nr + 1, sizeof(*rows));

	for (size_t i = 0; i < nr; i++)
		places[i] = (struct place){ .key = keys[i], .row = i };
	permutation_sort(places, nr);
	for (size_t i = 0; i < nr; i++)
		rows[i] = places[i].row;
	spill_free(places);
	return rows;
}
