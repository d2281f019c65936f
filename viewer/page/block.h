/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Blocks of bytes in a page: gathered in memory, packed by gzip, and written in base64 inside a
 * script element of a type that no browser runs. Each block can be inflated alone.
 */
#ifndef ANNOT_PAGE_BLOCK_H
#define ANNOT_PAGE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BLOCK_MEDIA_TYPE "application/x-annot-block"

/* Fields are private to block.c. Zero-initialise; block_free() frees the bytes. */
struct block {
	uint8_t *bytes;
	size_t nr_bytes;
	size_t capacity;
	size_t nr_cuts;
	size_t cuts_capacity;
	size_t *cuts; /* where pieces end: columns of numbers */
	uint8_t *packed; /* room for what is packed, while it is */
	size_t packed_capacity;
	bool out_of_memory; /* sticky: put functions do nothing, block_pack() fails */
};

void block_put_u8(struct block *block, uint8_t value);
/* LEB128: seven bits a byte, low ones first; the top bit says that more follow. */
void block_put_varint(struct block *block, uint64_t value);
/* A varint of (value << 1) ^ (value >> 63): small for small values of either sign. */
void block_put_zigzag(struct block *block, int64_t value);

#define BLOCK_VARINT_BYTES 10 /* at most */

/*
 * The same for many values at once: room for @nr_bytes, or NULL when memory ran out; then as many
 * varint_put() as fit; then block_end() with where the last one ended.
 */
uint8_t *block_begin(struct block *block, size_t nr_bytes);
void block_end(struct block *block, const uint8_t *at);

/* Returns where the next one goes. */
static inline uint8_t *varint_put(uint8_t *at, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*at++ = (uint8_t)(value | 0x80);
	*at++ = (uint8_t)value;
	return at;
}

static inline uint8_t *zigzag_put(uint8_t *at, int64_t value)
{
	return varint_put(at, ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0));
}

/*
 * What was put in since the last cut is a column of numbers that repeats nothing: it is packed on
 * its own, and faster (huffman.h). What is behind the last cut is packed by deflate.
 */
void block_cut(struct block *block);

/* Nothing was put in since it was packed; and memory has not run out. */
bool block_is_empty(const struct block *block);

/* The gzip of a block. Zero-initialise; free() the bytes. */
struct packed_block {
	uint8_t *bytes;
	size_t nr_bytes;
};

/*
 * Packs what was gathered into @packed, and empties the block. Returns -1 when memory ran out, now
 * or in an earlier call.
 */
int block_pack(struct block *block, struct packed_block *packed);
void block_free(struct block *block);

/* How many bytes packed_block_write() writes. */
uint64_t packed_block_bytes(const struct packed_block *packed, const char *id);

/* Writes @packed as a script element of that id. */
void packed_block_write(const struct packed_block *packed, const char *id, FILE *out);

#endif /* ANNOT_PAGE_BLOCK_H */
