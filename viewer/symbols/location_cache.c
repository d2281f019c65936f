// SPDX-License-Identifier: GPL-2.0
#include "symbols/place_cache.h"

#include <stdlib.h>

#include "util/xalloc.h"

#define FIRST_SLOTS 1024u

static struct cached_place *find_slot(const struct place_cache *cache, uint32_t object,
				      uint64_t address)
{
	uint64_t mix = (address ^ (uint64_t)object << 48) * 0x9e3779b97f4a7c15ull;
	size_t at = (size_t)(mix >> 32) & (cache->nr_slots - 1);

	while (cache->slots[at].used &&
	       (cache->slots[at].object != object || cache->slots[at].address != address))
		at = (at + 1) & (cache->nr_slots - 1);
	return &cache->slots[at];
}

static void grow(struct place_cache *cache)
{
	struct place_cache before = *cache;

	cache->nr_slots = before.nr_slots ? before.nr_slots * 2 : FIRST_SLOTS;
	cache->slots = xcalloc(cache->nr_slots, sizeof(*cache->slots));
	for (size_t i = 0; i < before.nr_slots; i++) {
		const struct cached_place *old = &before.slots[i];

		if (old->used)
			*find_slot(cache, old->object, old->address) = *old;
	}
	free(before.slots);
}

struct cached_place *place_cache_get(struct place_cache *cache, uint32_t object, uint64_t address)
{
	struct cached_place *slot;

	if (cache->nr >= cache->nr_slots / 2)
		grow(cache);
	slot = find_slot(cache, object, address);
	if (!slot->used) {
		*slot = (struct cached_place){ .address = address, .object = object, .used = true };
		cache->nr++;
	}
	return slot;
}

void place_cache_free(struct place_cache *cache)
{
	free(cache->slots);
}
