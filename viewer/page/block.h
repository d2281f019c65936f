/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Blocks of bytes in a page: gathered in memory, compressed by gzip, and written as base64 inside a
 * script element whose type browsers do not execute. Each block can be inflated alone.
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
	size_t *cuts; /* ends of the columns of numbers */
	uint8_t *packed; /* buffer for packing */
	size_t packed_capacity;
	bool out_of_memory; /* sticky: put functions do nothing, block_pack() fails */
};

void block_put_u8(struct block *block, uint8_t value);
/* LEB128: seven bits per byte, low ones first; the top bit says that more bytes follow. */
void block_put_varint(struct block *block, uint64_t value);
/* A varint of (value << 1) ^ (value >> 63): small for small values of either sign. */
void block_put_zigzag(struct block *block, int64_t value);

#define BLOCK_VARINT_BYTES 10 /* at most */

/*
 * Writes many values at once: block_begin() makes room for @nr_bytes, or returns NULL if memory ran
 * out. Then call varint_put() for as many values as fit, and block_end() with the end of the last
 * one.
 */
uint8_t *block_begin(struct block *block, size_t nr_bytes);
void block_end(struct block *block, const uint8_t *at);

/* Returns the position of the next value. */
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
 * Marks the bytes since the last cut as a column of numbers without repeats. It is packed on its
 * own, and faster (huffman.h). Bytes after the last cut are packed by deflate.
 */
void block_cut(struct block *block);

/* Whether nothing was put in since the last packing. False if memory ran out. */
bool block_is_empty(const struct block *block);

/* The gzip of a block. Zero-initialise; free() the bytes. */
struct packed_block {
	uint8_t *bytes;
	size_t nr_bytes;
};

/*
 * Packs the bytes into @packed and empties the block. Returns -1 if memory ran out, now or earlier.
 */
int block_pack(struct block *block, struct packed_block *packed);
void block_free(struct block *block);

/* The number of bytes that packed_block_write() writes. */
uint64_t packed_block_bytes(const struct packed_block *packed, const char *id);

/* Writes @packed as a script element of that id. */
void packed_block_write(const struct packed_block *packed, const char *id, FILE *out);

#endif /* ANNOT_PAGE_BLOCK_H */
