// SPDX-License-Identifier: GPL-2.0
#include "model/order.h"

static int compare(const void *a, const void *b)
{
	const struct place *first = a, *second = b;

	if (first->key != second->key)
		return first->key < second->key ? -1 : 1;
	return first->row < second->row ? -1 : first->row > second->row;
}

void places_sort(struct place *places, size_t nr)
{
	qsort(places, nr, sizeof(*places), compare);
}

struct place *places_by(const uint64_t *keys, size_t nr)
{
	struct place *places = xcalloc(nr, sizeof(*places));

	for (size_t i = 0; i < nr; i++)
		places[i] = (struct place){ .key = keys[i], .row = i };
	places_sort(places, nr);
	return places;
}
