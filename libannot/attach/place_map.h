/* SPDX-License-Identifier: MIT */
/*
 * Places by a number, or address, of the convention's own: the names of locks, strings, open ranges. Lock-free
 * and bounded: what finds no room has no place. A key is in use by one thread at a time, as far as it is
 * put in or taken out.
 */
#ifndef LIBANNOT_ATTACH_PLACE_MAP_H
#define LIBANNOT_ATTACH_PLACE_MAP_H

#include <stdint.h>

#include "place.h"

#define PLACE_MAP_SLOTS 4096 /* a power of two */

struct place_map {
	struct {
		uint64_t key;
		struct place *place;
	} slots[PLACE_MAP_SLOTS];
};

/* Neither 0 nor 1 may be a key. */
void place_map_put(struct place_map *map, uint64_t key, struct place *place);

/* NULL: there is none. */
struct place *place_map_get(struct place_map *map, uint64_t key);

/* As place_map_get(); from then on, there is none. */
struct place *place_map_take(struct place_map *map, uint64_t key);

#endif /* LIBANNOT_ATTACH_PLACE_MAP_H */
