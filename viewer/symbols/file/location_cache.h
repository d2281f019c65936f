/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A cache of the locations of addresses of objects.
 */
#ifndef ANNOT_SYMBOLS_LOCATION_CACHE_H
#define ANNOT_SYMBOLS_LOCATION_CACHE_H

#include <stddef.h>

#include "symbols/file/symbol_location.h"

struct cached_location {
	uint64_t address;
	uint32_t object;
	bool used;
	bool has_location;
	bool has_line; /* location.line was looked up ... */
	bool has_field; /* ... location.field */
	struct symbol_location location;
};

struct location_cache {
	size_t nr;
	size_t nr_slots; /* 0 or a power of two */
	struct cached_location *slots; /* open addressing */
};

/* The entry of the pair; adds one if there is none. Valid until the next call. */
struct cached_location *location_cache_get(struct location_cache *cache, uint32_t object,
					   uint64_t address);
void location_cache_free(struct location_cache *cache);

#endif /* ANNOT_SYMBOLS_LOCATION_CACHE_H */
