// SPDX-License-Identifier: GPL-2.0
/*
 * Blocks of a page: numbers as bytes, bytes as gzip in base64.
 */
/* LINK: tests/unit/page/page_reader.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page/block.h"
#include "page_reader.h"

static void assert_bytes(struct block *block, const char *bytes, size_t nr)
{
	assert_int_equal(block->nr_bytes, nr);
	assert_memory_equal(block->bytes, bytes, nr);
	block_free(block);
}

static void test_varints(void **state)
{
	struct block block = { 0 };

	(void)state;
	block_put_varint(&block, 0);
	block_put_varint(&block, 127);
	block_put_varint(&block, 128);
	block_put_varint(&block, 300);
	block_put_varint(&block, UINT64_MAX);
	assert_bytes(&block, "\0\x7f\x80\x01\xac\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 16);
}

static void test_zigzags(void **state)
{
	struct block block = { 0 };

	(void)state;
	block_put_zigzag(&block, 0);
	block_put_zigzag(&block, -1);
	block_put_zigzag(&block, 1);
	block_put_zigzag(&block, -64);
	block_put_zigzag(&block, 64);
	assert_bytes(&block, "\0\x01\x02\x7f\x80\x01", 6);
	block_put_zigzag(&block, INT64_MIN);
	assert_bytes(&block, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
	block_put_zigzag(&block, INT64_MAX);
	assert_bytes(&block, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10);
}

static uint8_t byte_at(size_t i)
{
	return (uint8_t)(i * 2654435761u >> 13);
}

/* Cut each @piece bytes. */
static void check_round_trip(struct block *block, size_t nr, size_t piece)
{
	struct packed_block packed = { 0 };
	struct page_bytes got;
	char *page;
	size_t page_bytes;
	FILE *out = open_memstream(&page, &page_bytes);

	for (size_t i = 0; i < nr; i++) {
		block_put_u8(block, byte_at(i));
		if ((i + 1) % piece == 0)
			block_cut(block);
	}
	assert_int_equal(block_pack(block, &packed), 0);
	packed_block_write(&packed, "some-id", out);
	free(packed.bytes);
	assert_true(block_is_empty(block));
	fclose(out);
	got = page_reader_block(page, "some-id");
	assert_int_equal(got.nr, nr);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(got.bytes[i], byte_at(i));
	free(got.bytes);
	free(page);
}

/* Every length of the last group of base64, and one block larger than any buffer at first. */
static void test_round_trip(void **state)
{
	static const size_t sizes[] = { 1, 2, 3, 4, 5, 1000000 };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct block block = { 0 };

		check_round_trip(&block, sizes[i], SIZE_MAX);
		block_free(&block);
	}
}

/* The same block again and again: with pieces, up to its end or not, and without. */
static void test_pieces(void **state)
{
	static const size_t pieces[] = { 1, 1000, 4096, 5000, 100000, 300000, SIZE_MAX };
	struct block block = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		check_round_trip(&block, 300000, pieces[i]);
	block_free(&block);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_varints),
		cmocka_unit_test(test_zigzags),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_pieces),
	};

	return cmocka_run_group_tests_name("page blocks", tests, NULL, NULL);
}
