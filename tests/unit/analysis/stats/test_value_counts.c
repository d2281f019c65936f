// SPDX-License-Identifier: GPL-2.0
/* Each place among random values, against sorting them: of many ranges, of one, and at the ends of what 64 bits hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "analysis/stats/value_counts.h"

#define NR_VALUES 3000

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

static void expect_all_places(const uint64_t *values, size_t nr)
{
	struct value_counts counts = { 0 };
	uint64_t *sorted = malloc(nr * sizeof(*sorted));

	memcpy(sorted, values, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare);
	for (size_t i = 0; i < nr; i++)
		value_counts_add(&counts, values[i]);
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(value_counts_nth(&counts, values, nr, i), sorted[i]);
	free(sorted);
}

static void test_random(void **state)
{
	uint64_t values[NR_VALUES];

	(void)state;
	for (size_t i = 0; i < NR_VALUES; i++)
		values[i] = random_bits() >> random_bits() % 64;
	expect_all_places(values, NR_VALUES);
}

static void test_equal(void **state)
{
	uint64_t values[NR_VALUES];

	(void)state;
	for (size_t i = 0; i < NR_VALUES; i++)
		values[i] = 1000000 + (i % 7 == 0);
	expect_all_places(values, NR_VALUES);
}

static void test_ends(void **state)
{
	const uint64_t values[] = { UINT64_MAX, 0, 63, 64, 65, 127, 128, UINT64_MAX - 1, 1, 129 };

	(void)state;
	expect_all_places(values, sizeof(values) / sizeof(values[0]));
	assert_int_equal(value_counts_range(UINT64_MAX), VALUE_COUNTS_RANGES - 1);
	assert_int_equal(value_counts_range(63), 63);
	assert_int_equal(value_counts_range(64), 64);
}

/* What is merged counts as if it were one. */
static void test_merged(void **state)
{
	struct value_counts first = { 0 }, second = { 0 };
	uint64_t values[NR_VALUES];

	(void)state;
	for (size_t i = 0; i < NR_VALUES; i++) {
		values[i] = NR_VALUES - i;
		value_counts_add(i % 2 ? &first : &second, values[i]);
	}
	value_counts_merge(&first, &second);
	for (size_t i = 0; i < NR_VALUES; i++)
		assert_int_equal(value_counts_nth(&first, values, NR_VALUES, i), i + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
