// SPDX-License-Identifier: GPL-2.0
/*
 * Pairs are sorted as an insertion sort does it, of keys that differ in any of their bits; numbers, as qsort() does, or
 * only by their high bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/random.h"
#include "util/sort.h"

#define NR_PAIRS 500
#define NR_NUMBERS 3000 /* more than qsort() is for */

static void insert_in_order(struct sort_pair *pairs, size_t nr, struct sort_pair pair)
{
	for (; nr && pairs[nr - 1].key > pair.key; nr--)
		pairs[nr] = pairs[nr - 1];
	pairs[nr] = pair;
}

/* Keys of the bits in @mask only, some of which are the same then. */
static void check(uint64_t mask, size_t nr)
{
	struct random random = { .state = mask + nr };
	struct sort_pair pairs[NR_PAIRS], expected[NR_PAIRS];

	for (size_t i = 0; i < nr; i++) {
		pairs[i] = (struct sort_pair){ random_u64(&random) & mask, i };
		insert_in_order(expected, i, pairs[i]);
	}
	sort_pairs(pairs, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(pairs[i].key, expected[i].key);
		assert_int_equal(pairs[i].value, expected[i].value);
	}
}

static void test_order(void **state)
{
	(void)state;
	for (int low = 0; low < 64; low += 3) {
		check(UINT64_MAX >> low, NR_PAIRS);
		check(UINT64_MAX << low, NR_PAIRS);
		check(3ull << low, NR_PAIRS);
	}
	check(0, NR_PAIRS);
}

static void test_few(void **state)
{
	(void)state;
	for (size_t nr = 0; nr < 5; nr++)
		check(UINT64_MAX, nr);
}

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

static void check_numbers(uint64_t mask, size_t nr)
{
	struct random random = { .state = mask + nr };
	uint64_t numbers[NR_NUMBERS], expected[NR_NUMBERS];

	for (size_t i = 0; i < nr; i++)
		numbers[i] = expected[i] = random_u64(&random) & mask;
	qsort(expected, nr, sizeof(*expected), compare);
	sort_u64(numbers, nr);
	assert_memory_equal(numbers, expected, nr * sizeof(*numbers));
}

static void test_numbers(void **state)
{
	(void)state;
	for (size_t nr = 1; nr <= NR_NUMBERS; nr = 3 * nr + 1) {
		check_numbers(UINT64_MAX, nr);
		check_numbers(0xfff000, nr);
		check_numbers(0, nr);
	}
	check_numbers(UINT64_MAX, NR_NUMBERS);
	sort_u64(NULL, 0);
}

/* Sorted by their high bits, they are still the same numbers. */
static void check_high_bits(unsigned int first_bit, size_t nr)
{
	struct random random = { .state = first_bit + nr };
	uint64_t numbers[NR_NUMBERS], expected[NR_NUMBERS];

	for (size_t i = 0; i < nr; i++)
		numbers[i] = expected[i] = random_u64(&random);
	qsort(expected, nr, sizeof(*expected), compare);
	sort_u64_from_bit(numbers, nr, first_bit);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(numbers[i] >> first_bit, expected[i] >> first_bit);
	qsort(numbers, nr, sizeof(*numbers), compare);
	assert_memory_equal(numbers, expected, nr * sizeof(*numbers));
}

static void test_high_bits(void **state)
{
	(void)state;
	for (unsigned int first_bit = 0; first_bit < 64; first_bit += 7) {
		check_high_bits(first_bit, 10);
		check_high_bits(first_bit, NR_NUMBERS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_high_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
