/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cache of ldconfig, /etc/ld.so.cache: names of libraries -> their files, as glibc 2.2 and later write it.
 */
#ifndef ANNOT_ATTACH_LOADER_CACHE_H
#define ANNOT_ATTACH_LOADER_CACHE_H

#include <stddef.h>
#include <stdint.h>

/* Fields are private to loader_cache.c. */
struct loader_cache {
	char *bytes;
	size_t nr_bytes;
	size_t start; /* of the header that offsets count from */
	uint32_t nr_entries;
};

/* A file that is missing or damaged is an empty cache. */
void loader_cache_open(struct loader_cache *cache, const char *path);
void loader_cache_close(struct loader_cache *cache);

/*
 * The next file of that @name from entry *@entry on, which begins with 0; NULL: no more. There is one for each
 * architecture.
 */
const char *loader_cache_next(const struct loader_cache *cache, const char *name, uint32_t *entry);

#endif /* ANNOT_ATTACH_LOADER_CACHE_H */
