// SPDX-License-Identifier: GPL-2.0
#include "page_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#define BLOCK_HEAD "<script type=\"application/x-annot-block\""

int page_reader_nr_blocks(const char *page)
{
	int nr = 0;

	while ((page = strstr(page, BLOCK_HEAD))) {
		page += strlen(BLOCK_HEAD);
		nr++;
	}
	return nr;
}

static const char *find_block(const char *page, const char *id)
{
	char head[96];

	snprintf(head, sizeof(head), BLOCK_HEAD " id=\"%s\">", id);
	page = strstr(page, head);
	return page ? page + strlen(head) : NULL;
}

static int digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found = c ? strchr(digits, c) : NULL;

	return found ? (int)(found - digits) : -1;
}

/* Up to the first byte that is no digit. */
static struct page_bytes decode_base64(const char *text)
{
	struct page_bytes decoded = { malloc(strlen(text)), 0 };
	uint32_t bits = 0;
	int nr_bits = 0;

	for (; digit(*text) >= 0; text++) {
		bits = bits << 6 | (uint32_t)digit(*text);
		nr_bits += 6;
		if (nr_bits >= 8) {
			nr_bits -= 8;
			decoded.bytes[decoded.nr++] = (uint8_t)(bits >> nr_bits);
		}
	}
	return decoded;
}

struct page_bytes page_reader_block(const char *page, const char *id)
{
	const char *text = find_block(page, id);
	struct page_bytes packed, unpacked;
	z_stream stream = { 0 };

	assert_non_null(text);
	packed = decode_base64(text);
	unpacked.nr = packed.nr * 1100 + 100;
	unpacked.bytes = malloc(unpacked.nr);
	stream.next_in = packed.bytes;
	stream.avail_in = (uInt)packed.nr;
	stream.next_out = unpacked.bytes;
	stream.avail_out = (uInt)unpacked.nr;
	assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
	assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
	assert_int_equal(stream.avail_in, 0);
	unpacked.nr = stream.total_out;
	inflateEnd(&stream);
	free(packed.bytes);
	return unpacked;
}

uint64_t page_reader_varint(const uint8_t **at)
{
	uint64_t value = 0;
	int shift = 0;

	do {
		value |= (uint64_t)(**at & 0x7f) << shift;
		shift += 7;
	} while (*(*at)++ & 0x80);
	return value;
}

int64_t page_reader_zigzag(const uint8_t **at)
{
	uint64_t value = page_reader_varint(at);

	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}
