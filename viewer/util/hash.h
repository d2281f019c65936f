/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hashes of numbers and of bytes, for tables in memory.
 */
#ifndef ANNOT_UTIL_HASH_H
#define ANNOT_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* By the golden ratio (Knuth, The Art of Computer Programming, 6.4): the upper bits are the good ones. */
static inline uint64_t hash_u64(uint64_t key)
{
	return key * 0x9e3779b97f4a7c15ull;
}

/* The slot of @key in a table of @mask + 1 slots, a power of two of at most 2^32. */
static inline size_t hash_slot(uint64_t key, size_t mask)
{
	return (size_t)(hash_u64(key) >> 32) & mask;
}

/* Eight bytes at a time; all bits are good ones. */
static inline uint64_t hash_bytes(const void *bytes, size_t nr)
{
	const unsigned char *byte = bytes;
	uint64_t hash = hash_u64(nr), word;

	for (; nr >= sizeof(word); nr -= sizeof(word), byte += sizeof(word)) {
		__builtin_memcpy(&word, byte, sizeof(word));
		hash = hash_u64(hash ^ word);
		hash ^= hash >> 32;
	}
	word = 0;
	for (size_t i = 0; i < nr; i++)
		word = word << 8 | byte[i];
	hash = hash_u64(hash ^ word);
	return hash ^ hash >> 32;
}

#endif /* ANNOT_UTIL_HASH_H */
