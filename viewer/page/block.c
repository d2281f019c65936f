// SPDX-License-Identifier: GPL-2.0
#include "page/block.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

/* Of libdeflate's 1 to 12: above it the page gets little smaller, and takes much longer. */
#define GZIP_LEVEL 2
#define BASE64_BYTES 6144 /* encoded at a time */

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

bool block_is_empty(const struct block *block)
{
	return !block->nr_bytes && !block->out_of_memory;
}

/* @nr_bytes is a multiple of 3, but at the end. Returns how many characters. */
static size_t encode_base64(const uint8_t *bytes, size_t nr_bytes, char *to)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *at = to;

	for (size_t i = 0; i < nr_bytes; i += 3) {
		size_t nr = nr_bytes - i < 3 ? nr_bytes - i : 3;
		uint32_t group = (uint32_t)bytes[i] << 16;

		if (nr > 1)
			group |= (uint32_t)bytes[i + 1] << 8;
		if (nr > 2)
			group |= bytes[i + 2];
		*at++ = digits[group >> 18];
		*at++ = digits[(group >> 12) & 63];
		*at++ = nr > 1 ? digits[(group >> 6) & 63] : '=';
		*at++ = nr > 2 ? digits[group & 63] : '=';
	}
	return (size_t)(at - to);
}

static void write_base64(const uint8_t *bytes, size_t nr_bytes, FILE *out)
{
	char text[BASE64_BYTES / 3 * 4];

	for (size_t i = 0; i < nr_bytes; i += BASE64_BYTES) {
		size_t nr = nr_bytes - i < BASE64_BYTES ? nr_bytes - i : BASE64_BYTES;

		fwrite(text, 1, encode_base64(bytes + i, nr, text), out);
	}
}

int block_pack(struct block *block, struct packed_block *packed)
{
	struct libdeflate_compressor *compressor;
	size_t capacity;

	if (block->out_of_memory)
		return -1;
	compressor = libdeflate_alloc_compressor(GZIP_LEVEL);
	if (!compressor)
		return -1;
	capacity = libdeflate_gzip_compress_bound(compressor, block->nr_bytes);
	packed->bytes = malloc(capacity);
	if (packed->bytes)
		packed->nr_bytes = libdeflate_gzip_compress(compressor, block->bytes,
							    block->nr_bytes, packed->bytes,
							    capacity);
	libdeflate_free_compressor(compressor);
	block->nr_bytes = 0;
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
	*block = (struct block){ 0 };
}
