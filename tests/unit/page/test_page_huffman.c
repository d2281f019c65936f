// SPDX-License-Identifier: GPL-2.0
/*
 * Huffman's codes of a page's columns: what zlib makes of them is what was put in, and it is about as
 * short as can be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

#include "page/huffman.h"

#define GUARD 0xa5

/* Inflates what stands from @deflated to @end, with a last block put behind it. */
static void expect_inflated(const uint8_t *deflated, const uint8_t *end, const uint8_t *bytes,
			    size_t nr)
{
	static const uint8_t last[] = { 1, 0, 0, 0xff, 0xff };
	size_t nr_deflated = (size_t)(end - deflated);
	uint8_t *stream = malloc(nr_deflated + sizeof(last)), *inflated = malloc(nr + 1);
	z_stream z = { .next_in = stream, .next_out = inflated };

	memcpy(stream, deflated, nr_deflated);
	memcpy(stream + nr_deflated, last, sizeof(last));
	z.avail_in = (uInt)(nr_deflated + sizeof(last));
	z.avail_out = (uInt)nr + 1;
	assert_int_equal(inflateInit2(&z, -MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	assert_int_equal(z.total_out, nr);
	assert_memory_equal(inflated, bytes, nr);
	inflateEnd(&z);
	free(stream);
	free(inflated);
}

/* Packs pieces of @piece bytes. Returns how long that gets. */
static size_t packed_bytes(const uint8_t *bytes, size_t nr, size_t piece)
{
	size_t most = huffman_bound(0), size;
	struct bit_writer bits = { 0 };
	uint8_t *deflated;

	for (size_t i = 0; i < nr; i += piece)
		most += huffman_bound(nr - i < piece ? nr - i : piece);
	deflated = malloc(most + 1);
	deflated[most] = GUARD;
	bits.at = deflated;
	for (size_t i = 0; i < nr; i += piece)
		huffman_put(&bits, bytes + i, nr - i < piece ? nr - i : piece);
	bits_align(&bits);
	assert_true(bits.at <= deflated + most);
	assert_int_equal(deflated[most], GUARD);
	expect_inflated(deflated, bits.at, bytes, nr);
	size = (size_t)(bits.at - deflated);
	free(deflated);
	return size;
}

#define NR 200000

static void test_random(void **state)
{
	static uint8_t bytes[NR];

	(void)state;
	srand(1);
	for (size_t i = 0; i < NR; i++)
		bytes[i] = (uint8_t)(rand() >> 8);
	/* There is nothing to gain, and little to lose. */
	assert_in_range(packed_bytes(bytes, NR, NR), NR, NR + 40);
	for (size_t nr = 0; nr < 40; nr++)
		packed_bytes(bytes, nr, 64);
	packed_bytes(bytes, 65535, NR);
	packed_bytes(bytes, 65536, NR);
	packed_bytes(bytes, 30000, 1);
}

static void test_skewed(void **state)
{
	static uint8_t bytes[NR];

	(void)state;
	srand(2);
	/* Each value half as often as the one before: two bits a byte, and codes of all lengths. */
	for (size_t i = 0; i < NR; i++)
		bytes[i] = (uint8_t)__builtin_ctz((unsigned int)rand() | 1u << 30);
	assert_in_range(packed_bytes(bytes, NR, NR), NR / 4, NR / 4 + NR / 100);
	packed_bytes(bytes, NR, 1000);
}

/* As seldom as Fibonacci's numbers say, codes get longer than they may. */
static void test_longest_codes(void **state)
{
	static uint8_t bytes[NR];
	size_t nr = 0;

	(void)state;
	for (size_t value = 0, some = 1, more = 1; nr + some <= NR; value++) {
		size_t sum = some + more;

		memset(bytes + nr, (int)value, some);
		nr += some;
		some = more;
		more = sum;
	}
	/* Out of order, so that nothing is a run. */
	for (size_t i = nr - 1; i > 0; i--) {
		size_t other = (size_t)rand() % (i + 1);
		uint8_t value = bytes[i];

		bytes[i] = bytes[other];
		bytes[other] = value;
	}
	assert_true(packed_bytes(bytes, nr, nr) < nr * 3 / 8);
}

static void test_runs(void **state)
{
	static uint8_t bytes[NR];

	(void)state;
	assert_true(packed_bytes(bytes, NR, NR) < NR / 200);
	for (size_t length = 1; length < 600; length++) {
		for (size_t i = 0; i < 20000; i++)
			bytes[i] = (uint8_t)(i / length * 37);
		packed_bytes(bytes, 20000, 20000);
	}
	srand(3);
	for (int i = 0; i < 200; i++) {
		size_t nr = 0;

		while (nr < 5000) {
			size_t run = 1 + (size_t)rand() % 40;

			memset(bytes + nr, rand() % 3, run);
			nr += run;
		}
		packed_bytes(bytes, nr, 1 + (size_t)rand() % nr);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_skewed),
		cmocka_unit_test(test_longest_codes),
		cmocka_unit_test(test_runs),
	};

	return cmocka_run_group_tests_name("Huffman's codes", tests, NULL, NULL);
}
