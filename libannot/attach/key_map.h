/* SPDX-License-Identifier: MIT */
/*
 * What belongs to a number, or address, of the convention's own: the names of locks, strings, regions and open ranges;
 * messages that are not complete. Lock-free and bounded. A key is in use by one thread at a time, as far as it is put
 * in or taken out. For the two highest numbers there is no room.
 */
#ifndef LIBANNOT_ATTACH_KEY_MAP_H
#define LIBANNOT_ATTACH_KEY_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define KEY_MAP_SLOTS 16384 /* a power of two */

struct key_map {
	struct {
		uint64_t key;
		void *value;
	} slots[KEY_MAP_SLOTS];
};

/* False: there is no room. */
bool key_map_put(struct key_map *map, uint64_t key, void *value);

/*
 * Where the value of @key is kept, as long as the key is not taken; it is NULL at first. NULL: there is no room.
 */
void **key_map_slot(struct key_map *map, uint64_t key);

/* NULL: there is none. */
void *key_map_get(struct key_map *map, uint64_t key);

/* As key_map_get(); from then on, there is none. */
void *key_map_take(struct key_map *map, uint64_t key);

#endif /* LIBANNOT_ATTACH_KEY_MAP_H */
