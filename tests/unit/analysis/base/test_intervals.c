// SPDX-License-Identifier: GPL-2.0
/*
 * Unions of intervals, and what two of them have in common.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/base/intervals.h"

static struct intervals make(size_t nr, const struct interval *rows)
{
	struct intervals intervals = { 0 };

	for (size_t i = 0; i < nr; i++)
		intervals_add(&intervals, rows[i].from_ns, rows[i].to_ns);
	intervals_unite(&intervals);
	return intervals;
}

static void test_unite(void **state)
{
	struct intervals got = make(
		6,
		(const struct interval[]){
			{ 50, 60 }, { 10, 20 }, { 15, 30 }, { 30, 40 }, { 12, 14 }, { 45, 45 } });

	(void)state;
	assert_int_equal(got.nr, 2);
	assert_int_equal(got.rows[0].from_ns, 10);
	assert_int_equal(got.rows[0].to_ns, 40);
	assert_int_equal(got.rows[1].from_ns, 50);
	assert_int_equal(intervals_length_ns(&got), 40);
	intervals_free(&got);
}

static void test_common(void **state)
{
	struct intervals first =
		make(3, (const struct interval[]){ { 0, 10 }, { 20, 30 }, { 40, 50 } });
	struct intervals second = make(2, (const struct interval[]){ { 5, 25 }, { 45, 60 } });
	struct intervals none = { 0 };

	(void)state;
	assert_int_equal(intervals_common_ns(&first, &second), 5 + 5 + 5);
	assert_int_equal(intervals_common_ns(&second, &first), 15);
	assert_int_equal(intervals_common_ns(&first, &none), 0);
	intervals_free(&first);
	intervals_free(&second);
}

static void test_touch(void **state)
{
	struct intervals got = make(2, (const struct interval[]){ { 10, 20 }, { 30, 40 } });
	struct intervals none = { 0 };

	(void)state;
	assert_true(intervals_touch(&got, 0, 11));
	assert_true(intervals_touch(&got, 19, 25));
	assert_true(intervals_touch(&got, 25, 31));
	assert_false(intervals_touch(&got, 0, 10));
	assert_false(intervals_touch(&got, 20, 30));
	assert_false(intervals_touch(&got, 40, 50));
	assert_false(intervals_touch(&none, 0, 50));
	intervals_free(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unite),
		cmocka_unit_test(test_common),
		cmocka_unit_test(test_touch),
	};

	return cmocka_run_group_tests_name("intervals", tests, NULL, NULL);
}
