/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A cache of recent comms, which avoids hashing them byte by byte: each switch has two.
 */
#ifndef ANNOT_TRACE_NAMES_COMM_CACHE_H
#define ANNOT_TRACE_NAMES_COMM_CACHE_H

#include <stdbool.h>

#include "util/hash.h"
#include "util/rare.h"
#include "util/string_table.h"

#define COMM_BYTES 16
#define COMM_CACHE_BITS 8

struct comm_cache_slot {
	uint64_t key[2];
	uint32_t id;
};

/* Zero-initialise. Use it with one string table only. */
struct comm_cache {
	struct comm_cache_slot slots[1 << COMM_CACHE_BITS];
};

/* Where a comm is, if it is in the cache: COMM_BYTES bytes that end with a NUL or fill the array. */
static inline struct comm_cache_slot *comm_cache_slot_of(struct comm_cache *cache, const char *comm)
{
	uint64_t key[2];

	__builtin_memcpy(key, comm, sizeof(key));
	return &cache->slots[hash_u64(key[0] ^ (key[1] << 1)) >> (64 - COMM_CACHE_BITS)];
}

/* Whether the comm is in its slot. */
static inline bool comm_cache_has(const struct comm_cache_slot *slot, const char *comm)
{
	uint64_t key[2];

	__builtin_memcpy(key, comm, sizeof(key));
	return slot->id && slot->key[0] == key[0] && slot->key[1] == key[1];
}

/* It is from then on; @id is not 0. */
static inline void comm_cache_put(struct comm_cache_slot *slot, const char *comm, uint32_t id)
{
	__builtin_memcpy(slot->key, comm, COMM_BYTES);
	slot->id = id;
}

/* comm_cache_intern() of a comm that is not in the cache, but in @slot from then on. */
RARE uint32_t comm_cache_take(struct comm_cache_slot *slot, struct string_table *strings,
			      const char *comm);

/* The id of a comm. */
static inline uint32_t comm_cache_intern(struct comm_cache *cache, struct string_table *strings,
					 const char *comm)
{
	struct comm_cache_slot *slot = comm_cache_slot_of(cache, comm);

	return comm_cache_has(slot, comm) ? slot->id : comm_cache_take(slot, strings, comm);
}

#endif /* ANNOT_TRACE_NAMES_COMM_CACHE_H */
