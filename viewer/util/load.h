/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads of numbers from bytes that need no alignment.
 */
#ifndef ANNOT_UTIL_LOAD_H
#define ANNOT_UTIL_LOAD_H

#include <stdbool.h>
#include <stdint.h>

/* @swap: the bytes are in the other byte order than this machine's. */
static inline uint16_t load_u16(const uint8_t *bytes, bool swap)
{
	uint16_t value;

	__builtin_memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap16(value) : value;
}

static inline uint32_t load_u32(const uint8_t *bytes, bool swap)
{
	uint32_t value;

	__builtin_memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap32(value) : value;
}

static inline uint64_t load_u64(const uint8_t *bytes, bool swap)
{
	uint64_t value;

	__builtin_memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap64(value) : value;
}

#endif /* ANNOT_UTIL_LOAD_H */
