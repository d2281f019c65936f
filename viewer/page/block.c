// SPDX-License-Identifier: GPL-2.0
#include "page/block.h"

#include <endian.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "page/huffman.h"
#include "util/xalloc.h"

/* Of libdeflate's 1 to 12: above it the page gets little smaller, and takes much longer. */
#define DEFLATE_LEVEL 1
#define GZIP_TAIL_BYTES 8
/* A smaller piece is not worth a code of its own: it is joined with the next one. */
#define PIECE_BYTES 4096
#define BASE64_BYTES 49152 /* encoded at a time */

#define ELEMENT_BEGIN "<script type=\"" BLOCK_MEDIA_TYPE "\" id=\""
#define ELEMENT_NAMED "\">"
#define ELEMENT_END "</script>\n"

uint8_t *block_begin(struct block *block, size_t nr_bytes)
{
	size_t capacity = block->capacity ? block->capacity : 4096;
	uint8_t *bytes;

	if (block->out_of_memory)
		return NULL;
	while (capacity - block->nr_bytes < nr_bytes)
		capacity *= 2;
	if (capacity == block->capacity)
		return block->bytes + block->nr_bytes;
	bytes = realloc(block->bytes, capacity);
	if (!bytes) {
		block->out_of_memory = true;
		return NULL;
	}
	block->bytes = bytes;
	block->capacity = capacity;
	return block->bytes + block->nr_bytes;
}

void block_end(struct block *block, const uint8_t *at)
{
	block->nr_bytes = (size_t)(at - block->bytes);
}

void block_put_u8(struct block *block, uint8_t value)
{
	uint8_t *at = block_begin(block, 1);

	if (!at)
		return;
	*at++ = value;
	block_end(block, at);
}

void block_put_varint(struct block *block, uint64_t value)
{
	uint8_t *at = block_begin(block, BLOCK_VARINT_BYTES);

	if (at)
		block_end(block, varint_put(at, value));
}

void block_put_zigzag(struct block *block, int64_t value)
{
	uint8_t *at = block_begin(block, BLOCK_VARINT_BYTES);

	if (at)
		block_end(block, zigzag_put(at, value));
}

void block_cut(struct block *block)
{
	size_t from = block->nr_cuts ? block->cuts[block->nr_cuts - 1] : 0;

	if (block->nr_bytes - from < PIECE_BYTES)
		return;
	ARRAY_MAKE_ROOM(block->cuts, block->nr_cuts, block->cuts_capacity);
	block->cuts[block->nr_cuts++] = block->nr_bytes;
}

bool block_is_empty(const struct block *block)
{
	return !block->nr_bytes && !block->out_of_memory;
}

static void encode_group(uint32_t group, char *to)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	to[0] = digits[group >> 18];
	to[1] = digits[(group >> 12) & 63];
	to[2] = digits[(group >> 6) & 63];
	to[3] = digits[group & 63];
}

/* @nr_bytes is a multiple of 3, but at the end. Returns how many characters. */
static size_t encode_base64(const uint8_t *bytes, size_t nr_bytes, char *to)
{
	size_t nr_whole = nr_bytes / 3, nr_rest = nr_bytes % 3;
	const uint8_t *at = bytes;

	for (size_t i = 0; i < nr_whole; i++, at += 3, to += 4)
		encode_group((uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2], to);
	if (!nr_rest)
		return nr_whole * 4;
	encode_group((uint32_t)at[0] << 16 | (nr_rest > 1 ? (uint32_t)at[1] << 8 : 0), to);
	memset(to + 1 + nr_rest, '=', 3 - nr_rest);
	return nr_whole * 4 + 4;
}

static void write_base64(const uint8_t *bytes, size_t nr_bytes, FILE *out)
{
	char text[BASE64_BYTES / 3 * 4];

	for (size_t i = 0; i < nr_bytes; i += BASE64_BYTES) {
		size_t nr = nr_bytes - i < BASE64_BYTES ? nr_bytes - i : BASE64_BYTES;

		fwrite(text, 1, encode_base64(bytes + i, nr, text), out);
	}
}

/* RFC 1952: deflate, no time, no name, a system that is not known. */
static const uint8_t gzip_head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff };

static bool make_room(struct block *block, struct libdeflate_compressor *compressor)
{
	size_t most = sizeof(gzip_head) + huffman_bound(0) + GZIP_TAIL_BYTES, from = 0;

	for (size_t i = 0; i < block->nr_cuts; i++) {
		most += huffman_bound(block->cuts[i] - from);
		from = block->cuts[i];
	}
	most += libdeflate_deflate_compress_bound(compressor, block->nr_bytes - from);
	if (most <= block->packed_capacity)
		return true;
	free(block->packed);
	block->packed = malloc(most);
	block->packed_capacity = block->packed ? most : 0;
	return block->packed;
}

/* Writes the pieces, then the rest. Returns the end. */
static uint8_t *deflate_block(const struct block *block, struct libdeflate_compressor *compressor,
			      uint8_t *at)
{
	struct bit_writer bits = { .at = at };
	const uint8_t *rest;
	size_t from = 0, room;

	for (size_t i = 0; i < block->nr_cuts; i++) {
		huffman_put(&bits, block->bytes + from, block->cuts[i] - from);
		from = block->cuts[i];
	}
	if (from)
		bits_align(&bits);
	/* There may be no bytes at all. */
	rest = from ? block->bytes + from : block->bytes;
	room = block->packed_capacity - (size_t)(bits.at - block->packed);
	return bits.at +
	       libdeflate_deflate_compress(compressor, rest, block->nr_bytes - from, bits.at, room);
}

/* Into block->packed, where there is room. Returns how many bytes. */
static size_t gzip_block(const struct block *block, struct libdeflate_compressor *compressor)
{
	uint32_t tail[] = { htole32(libdeflate_crc32(0, block->bytes, block->nr_bytes)),
			    htole32((uint32_t)block->nr_bytes) };
	uint8_t *at = block->packed;

	memcpy(at, gzip_head, sizeof(gzip_head));
	at = deflate_block(block, compressor, at + sizeof(gzip_head));
	memcpy(at, tail, sizeof(tail));
	return (size_t)(at + sizeof(tail) - block->packed);
}

int block_pack(struct block *block, struct packed_block *packed)
{
	struct libdeflate_compressor *compressor;

	if (block->out_of_memory)
		return -1;
	compressor = libdeflate_alloc_compressor(DEFLATE_LEVEL);
	if (!compressor)
		return -1;
	if (make_room(block, compressor)) {
		packed->nr_bytes = gzip_block(block, compressor);
		packed->bytes = malloc(packed->nr_bytes);
	}
	if (packed->bytes)
		memcpy(packed->bytes, block->packed, packed->nr_bytes);
	libdeflate_free_compressor(compressor);
	block->nr_bytes = 0;
	block->nr_cuts = 0;
	return packed->bytes ? 0 : -1;
}

uint64_t packed_block_bytes(const struct packed_block *packed, const char *id)
{
	return sizeof(ELEMENT_BEGIN ELEMENT_NAMED ELEMENT_END) - 1 + strlen(id) +
	       ((uint64_t)packed->nr_bytes + 2) / 3 * 4;
}

void packed_block_write(const struct packed_block *packed, const char *id, FILE *out)
{
	fprintf(out, ELEMENT_BEGIN "%s" ELEMENT_NAMED, id);
	write_base64(packed->bytes, packed->nr_bytes, out);
	fputs(ELEMENT_END, out);
}

void block_free(struct block *block)
{
	free(block->bytes);
	free(block->cuts);
	free(block->packed);
	*block = (struct block){ 0 };
}
