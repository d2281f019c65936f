// SPDX-License-Identifier: MIT
#include "regions.h"

#include <stdint.h>

#include "../sink.h"

/* Indexes of places. What begins in more regions is not told. */
#define REGIONS_MAX 32
static __thread uint16_t open_regions[REGIONS_MAX];
static __thread unsigned int nr_open;

_Static_assert(PLACES_MAX <= UINT16_MAX, "an index of a place fits");

void region_begin(const char *name)
{
	struct place *place;

	if (nr_open == REGIONS_MAX || !attach_is_recording())
		return;
	place = place_of_name(name);
	open_regions[nr_open++] = (uint16_t)place->index;
	attach_work_begin(place);
}

/* Of the innermost, or @nr_open. */
static unsigned int find_open(uint32_t index)
{
	for (unsigned int i = nr_open; i-- > 0;) {
		if (open_regions[i] == index)
			return i;
	}
	return nr_open;
}

void region_end(const char *name)
{
	unsigned int at;

	if (!nr_open)
		return;
	at = find_open(place_of_name(name)->index);
	if (at == nr_open)
		return;
	for (unsigned int i = at; i < nr_open; i++)
		attach_work_end();
	nr_open--;
	for (; at < nr_open; at++) {
		open_regions[at] = open_regions[at + 1];
		attach_work_begin(place_at(open_regions[at]));
	}
}
