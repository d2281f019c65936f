// SPDX-License-Identifier: GPL-2.0
#include "symbols/file/location_cache.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/xalloc.h"

#define FIRST_SLOTS 1024u

static struct cached_location *find_slot(const struct location_cache *cache, uint32_t object,
					 uint64_t address)
{
	size_t at = hash_slot(address ^ (uint64_t)object << 48, cache->nr_slots - 1);

	while (cache->slots[at].used &&
	       (cache->slots[at].object != object || cache->slots[at].address != address))
		at = (at + 1) & (cache->nr_slots - 1);
	return &cache->slots[at];
}

static void grow_cache(struct location_cache *cache)
{
	struct location_cache before = *cache;

	cache->nr_slots = before.nr_slots ? before.nr_slots * 2 : FIRST_SLOTS;
	cache->slots = xcalloc(cache->nr_slots, sizeof(*cache->slots));
	for (size_t i = 0; i < before.nr_slots; i++) {
		const struct cached_location *old = &before.slots[i];

		if (old->used)
			*find_slot(cache, old->object, old->address) = *old;
	}
	free(before.slots);
}

struct cached_location *location_cache_get(struct location_cache *cache, uint32_t object,
					   uint64_t address)
{
	struct cached_location *slot;

	if (cache->nr >= cache->nr_slots / 2)
		grow_cache(cache);
	slot = find_slot(cache, object, address);
	if (!slot->used) {
		*slot = (struct cached_location){ .address = address,
						  .object = object,
						  .used = true };
		cache->nr++;
	}
	return slot;
}

void location_cache_free(struct location_cache *cache)
{
	free(cache->slots);
}
