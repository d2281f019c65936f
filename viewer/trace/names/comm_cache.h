/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A cache of recent comms, which avoids hashing them byte by byte: each switch has two.
 */
#ifndef ANNOT_TRACE_NAMES_COMM_CACHE_H
#define ANNOT_TRACE_NAMES_COMM_CACHE_H

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

/* comm_cache_intern() of a comm that is not in the cache, but in @slot from then on. */
RARE uint32_t comm_cache_take(struct comm_cache_slot *slot, struct string_table *strings,
			      const char *comm);

/* The id of a comm: COMM_BYTES bytes that end with a NUL or fill the array. */
static inline uint32_t comm_cache_intern(struct comm_cache *cache, struct string_table *strings,
					 const char *comm)
{
	struct comm_cache_slot *slot;
	uint64_t first, second;

	__builtin_memcpy(&first, comm, sizeof(first));
	__builtin_memcpy(&second, comm + sizeof(first), sizeof(second));
	slot = &cache->slots[hash_u64(first ^ (second << 1)) >> (64 - COMM_CACHE_BITS)];
	if (slot->id && slot->key[0] == first && slot->key[1] == second)
		return slot->id;
	return comm_cache_take(slot, strings, comm);
}

#endif /* ANNOT_TRACE_NAMES_COMM_CACHE_H */
