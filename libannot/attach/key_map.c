// SPDX-License-Identifier: MIT
#include "key_map.h"

#include <stdbool.h>
#include <stddef.h>

/* What a slot holds in place of a key: */
#define KEY_NONE 0 /* never used: no key is behind this slot */
#define KEY_TAKEN 1 /* was used, and may be again */
#define FIRST_KEY 2 /* what it holds of key 0 */
#define PROBES 64

static size_t slot_of(uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

/* -1: it is not there. */
static long slot_find(struct key_map *map, uint64_t key)
{
	uint64_t wanted = key + FIRST_KEY;
	size_t at = slot_of(key);

	for (size_t i = at; wanted >= FIRST_KEY && i < at + PROBES; i++) {
		uint64_t there = __atomic_load_n(&map->slots[i % KEY_MAP_SLOTS].key,
						 __ATOMIC_ACQUIRE);

		if (there == wanted)
			return (long)(i % KEY_MAP_SLOTS);
		if (there == KEY_NONE)
			return -1;
	}
	return -1;
}

static long slot_claim(struct key_map *map, uint64_t key)
{
	uint64_t wanted = key + FIRST_KEY;
	size_t at = slot_of(key);

	for (size_t i = at; wanted >= FIRST_KEY && i < at + PROBES; i++) {
		uint64_t *slot = &map->slots[i % KEY_MAP_SLOTS].key;
		uint64_t there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

		if (there < FIRST_KEY &&
		    __atomic_compare_exchange_n(slot, &there, wanted, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			return (long)(i % KEY_MAP_SLOTS);
	}
	return -1;
}

void **key_map_slot(struct key_map *map, uint64_t key)
{
	long slot = slot_find(map, key);

	if (slot < 0)
		slot = slot_claim(map, key);
	return slot < 0 ? NULL : &map->slots[slot].value;
}

bool key_map_put(struct key_map *map, uint64_t key, void *value)
{
	void **slot = key_map_slot(map, key);

	if (!slot)
		return false;
	__atomic_store_n(slot, value, __ATOMIC_RELEASE);
	return true;
}

void *key_map_get(struct key_map *map, uint64_t key)
{
	long slot = slot_find(map, key);

	return slot < 0 ? NULL : __atomic_load_n(&map->slots[slot].value, __ATOMIC_ACQUIRE);
}

void *key_map_take(struct key_map *map, uint64_t key)
{
	long slot = slot_find(map, key);
	void *value;

	if (slot < 0)
		return NULL;
	value = __atomic_exchange_n(&map->slots[slot].value, NULL, __ATOMIC_ACQ_REL);
	__atomic_store_n(&map->slots[slot].key, KEY_TAKEN, __ATOMIC_RELEASE);
	return value;
}
