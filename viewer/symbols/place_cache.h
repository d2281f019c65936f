/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was found out of an address of an object, so that it is found out once.
 */
#ifndef ANNOT_PLACE_CACHE_H
#define ANNOT_PLACE_CACHE_H

#include "symbols/symbols.h"

struct cached_place {
	uint64_t address;
	uint32_t object;
	bool used;
	bool has_place;
	bool has_line; /* place.line was asked for */
	struct symbol_place place;
};

struct place_cache {
	size_t nr;
	size_t nr_slots; /* 0 or a power of two */
	struct cached_place *slots; /* open addressing */
};

/* The entry of the pair, a new one if there is none; good until the next call. */
struct cached_place *place_cache_get(struct place_cache *cache, uint32_t object, uint64_t address);
void place_cache_free(struct place_cache *cache);

#endif /* ANNOT_PLACE_CACHE_H */
