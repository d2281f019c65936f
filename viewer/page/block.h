/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Blocks of bytes in a page: gathered in memory, then written as gzip in base64 inside a script
 * element of a type that no browser runs. Each block can be inflated alone.
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
	bool out_of_memory; /* sticky: put functions do nothing, block_write() fails */
};

void block_put_u8(struct block *block, uint8_t value);
/* LEB128: seven bits a byte, low ones first; the top bit says that more follow. */
void block_put_varint(struct block *block, uint64_t value);
/* A varint of (value << 1) ^ (value >> 63): small for small values of either sign. */
void block_put_zigzag(struct block *block, int64_t value);

/*
 * Writes what was gathered to @out, and empties the block. Nothing is written when it is empty.
 * Returns -1 when memory ran out, now or in an earlier call.
 */
int block_write(struct block *block, FILE *out);
void block_free(struct block *block);

#endif /* ANNOT_PAGE_BLOCK_H */
