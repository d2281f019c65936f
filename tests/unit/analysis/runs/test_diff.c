// SPDX-License-Identifier: GPL-2.0
/*
 * The test by ranks, against figures that were worked out otherwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/stats/rank_test.h"

/* By counting all pairs. */
static double superiority(const uint64_t *first, size_t nr_first, const uint64_t *second,
			  size_t nr_second)
{
	double wins = 0;

	for (size_t i = 0; i < nr_first; i++) {
		for (size_t j = 0; j < nr_second; j++)
			wins += first[i] < second[j] ? 1 : first[i] == second[j] ? 0.5 : 0;
	}
	return wins / (double)(nr_first * nr_second);
}

static void test_superiority(void **state)
{
	uint64_t first[20], second[20];

	(void)state;
	srandom(3);
	for (int round = 0; round < 2000; round++) {
		size_t nr_first = 1 + (size_t)random() % 20, nr_second = 1 + (size_t)random() % 20;
		long range = round % 2 ? 4 : 1000;
		double wanted;

		for (size_t i = 0; i < 20; i++) {
			first[i] = (uint64_t)(random() % range);
			second[i] = (uint64_t)(random() % range);
		}
		wanted = superiority(first, nr_first, second, nr_second);
		assert_float_equal(rank_test(first, nr_first, second, nr_second).superiority,
				   wanted, 1e-9);
	}
}

/*
 * U = 0 of 10 and 10: mean 50, variance 175, z = (50 - 0.5) / sqrt(175) = 3.742; with ties, {1, 2, 2,
 * 3} and {2, 3, 3, 4}: U = 3 of 16, t^3 - t is 24 for each of the two threes, variance 16 / 12 *
 * (9 - 48 / 56) = 10.857, z = (5 - 0.5) / 3.295 = 1.366.
 */
static void test_p_value(void **state)
{
	uint64_t low[10], high[10], a[] = { 3, 2, 1, 2 }, b[] = { 4, 3, 2, 3 };
	struct rank_test test;

	(void)state;
	for (size_t i = 0; i < 10; i++) {
		low[i] = i;
		high[i] = 100 + i;
	}
	test = rank_test(low, 10, high, 10);
	assert_float_equal(test.superiority, 1, 1e-9);
	assert_float_equal(test.p_value, 0.0001827, 1e-6);
	test = rank_test(high, 10, low, 10);
	assert_float_equal(test.superiority, 0, 1e-9);
	assert_float_equal(test.p_value, 0.0001827, 1e-6);
	test = rank_test(a, 4, b, 4);
	assert_float_equal(test.superiority, 13.0 / 16, 1e-9);
	assert_float_equal(test.p_value, 0.1720, 1e-3);
}

static void test_nothing_to_tell(void **state)
{
	uint64_t a[] = { 5, 5, 5 }, b[] = { 5, 5 };

	(void)state;
	assert_float_equal(rank_test(a, 3, b, 2).p_value, 1, 0);
	assert_float_equal(rank_test(a, 3, b, 2).superiority, 0.5, 0);
	assert_float_equal(rank_test(a, 1, b, 1).p_value, 1, 0);
	assert_float_equal(rank_test(a, 0, b, 2).p_value, 1, 0);
	assert_float_equal(rank_test(a, 3, b, 0).superiority, 0.5, 0);
}

static void test_sorts_one_alone(void **state)
{
	uint64_t values[] = { 3, 1, 2 }, none[] = { 0 };

	(void)state;
	rank_test(values, 3, none, 0);
	assert_true(values[0] == 1 && values[1] == 2 && values[2] == 3);
	values[0] = 4;
	rank_test(none, 0, values, 3);
	assert_true(values[0] == 2 && values[1] == 3 && values[2] == 4);
}

/* Of the same kind, as few p are small as there should be. */
static void test_no_false_alarms(void **state)
{
	uint64_t first[30], second[30];
	int nr_small = 0;

	(void)state;
	srandom(9);
	for (int round = 0; round < 4000; round++) {
		for (size_t i = 0; i < 30; i++) {
			first[i] = (uint64_t)random();
			second[i] = (uint64_t)random();
		}
		nr_small += rank_test(first, 30, second, 30).p_value < 0.05;
	}
	assert_in_range(nr_small, 140, 260);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_superiority),	cmocka_unit_test(test_p_value),
		cmocka_unit_test(test_nothing_to_tell), cmocka_unit_test(test_sorts_one_alone),
		cmocka_unit_test(test_no_false_alarms),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
