/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was found out of an address of an object, so that it is found out once.
 */
#ifndef ANNOT_SYMBOLS_LOCATION_CACHE_H
#define ANNOT_SYMBOLS_LOCATION_CACHE_H

#include <stddef.h>

#include "symbols/symbol_location.h"

struct cached_location {
	uint64_t address;
	uint32_t object;
	bool used;
	bool has_location;
	bool has_line; /* location.line was asked for */
	struct symbol_location location;
};

struct location_cache {
	size_t nr;
	size_t nr_slots; /* 0 or a power of two */
	struct cached_location *slots; /* open addressing */
};

/* The entry of the pair, a new one if there is none; good until the next call. */
struct cached_location *location_cache_get(struct location_cache *cache, uint32_t object,
					   uint64_t address);
void location_cache_free(struct location_cache *cache);

#endif /* ANNOT_SYMBOLS_LOCATION_CACHE_H */
