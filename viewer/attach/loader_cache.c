// SPDX-License-Identifier: GPL-2.0
#include "attach/loader_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

#define MAGIC "glibc-ld.so.cache1.1"
#define MOST_BYTES (64 << 20)

struct header {
	char magic[sizeof(MAGIC) - 1];
	uint32_t nr_entries;
	uint32_t string_bytes;
	uint32_t reserved[5];
};

struct entry {
	uint32_t flags;
	uint32_t name; /* offsets of strings */
	uint32_t path;
	uint32_t os_version;
	uint64_t hardware;
};

static void read_file(struct loader_cache *cache, FILE *file)
{
	size_t capacity = 0, nr;

	do {
		capacity += 1 << 20;
		cache->bytes = xrealloc_array(cache->bytes, capacity, 1);
		nr = fread(cache->bytes + cache->nr_bytes, 1, capacity - cache->nr_bytes, file);
		cache->nr_bytes += nr;
	} while (nr && cache->nr_bytes < MOST_BYTES);
}

/* Old ldconfigs write an older form before it. */
static void find_header(struct loader_cache *cache)
{
	const char *magic = memmem(cache->bytes, cache->nr_bytes, MAGIC, strlen(MAGIC));
	struct header header;
	size_t rest;

	if (!magic)
		return;
	cache->start = (size_t)(magic - cache->bytes);
	rest = cache->nr_bytes - cache->start;
	if (rest < sizeof(header))
		return;
	memcpy(&header, magic, sizeof(header));
	if (header.nr_entries <= (rest - sizeof(header)) / sizeof(struct entry))
		cache->nr_entries = header.nr_entries;
}

void loader_cache_open(struct loader_cache *cache, const char *path)
{
	FILE *file = fopen(path, "re");

	*cache = (struct loader_cache){ 0 };
	if (!file)
		return;
	read_file(cache, file);
	fclose(file);
	find_header(cache);
}

void loader_cache_close(struct loader_cache *cache)
{
	free(cache->bytes);
}

/* "" if it is not in the file. */
static const char *string_at(const struct loader_cache *cache, uint32_t offset)
{
	size_t rest = cache->nr_bytes - cache->start;

	if (offset >= rest || !memchr(cache->bytes + cache->start + offset, '\0', rest - offset))
		return "";
	return cache->bytes + cache->start + offset;
}

const char *loader_cache_next(const struct loader_cache *cache, const char *name, uint32_t *entry)
{
	while (*entry < cache->nr_entries) {
		struct entry found;

		memcpy(&found,
		       cache->bytes + cache->start + sizeof(struct header) + *entry * sizeof(found),
		       sizeof(found));
		(*entry)++;
		if (!strcmp(string_at(cache, found.name), name))
			return string_at(cache, found.path);
	}
	return NULL;
}
