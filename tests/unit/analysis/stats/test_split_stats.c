// SPDX-License-Identifier: GPL-2.0
/*
 * What the split of slow instances rests on: least squares, and the split of a product.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/stats/least_squares.h"
#include "analysis/stats/product_split.h"

/* y = 2 x1 + 30 x2 exactly, of very different sizes. */
static void test_exact(void **state)
{
	struct least_squares sums = { .nr_terms = 2 };
	struct least_squares_term terms[LEAST_SQUARES_MOST];

	(void)state;
	for (int i = 1; i <= 10; i++) {
		double x[] = { 1e6 * i, 3 + i % 4 };

		least_squares_add(&sums, x, 2 * x[0] + 30 * x[1]);
	}
	assert_true(least_squares_solve(&sums, terms));
	assert_float_equal(terms[0].value, 2, 1e-6);
	assert_float_equal(terms[1].value, 30, 1e-2);
}

/* y = x + 1, then - 1, in turn, of x = 1 to 4: the squares of x add up to 30, the products to 30 + 1 - 2 + 3 - 4. */
static void test_error(void **state)
{
	struct least_squares sums = { .nr_terms = 1 };
	struct least_squares_term term;
	double rest = 0, b = 28.0 / 30;

	(void)state;
	for (int i = 1; i <= 4; i++) {
		double x = i, y = i + (i % 2 ? 1 : -1);

		least_squares_add(&sums, &x, y);
		rest += (y - b * x) * (y - b * x);
	}
	assert_true(least_squares_solve(&sums, &term));
	assert_float_equal(term.value, b, 1e-12);
	assert_float_equal(term.error, sqrt(rest / 3 / 30), 1e-12);
}

static void test_unsolvable(void **state)
{
	struct least_squares few = { .nr_terms = 2 }, alike = { .nr_terms = 2 },
			     none = { .nr_terms = 1 };
	struct least_squares_term terms[LEAST_SQUARES_MOST];

	(void)state;
	for (int i = 1; i <= 2; i++)
		least_squares_add(&few, (const double[]){ i, i * i }, i);
	for (int i = 1; i <= 9; i++) {
		least_squares_add(&alike, (const double[]){ i, 7 * i }, i);
		least_squares_add(&none, (const double[]){ 0 }, i);
	}
	assert_false(least_squares_solve(&few, terms));
	assert_false(least_squares_solve(&alike, terms));
	assert_false(least_squares_solve(&none, terms));
}

/* From 2 x 3 to 4 x 9: of 30 more, ln 2 and ln 3 parts of ln 6. */
static void test_product(void **state)
{
	double parts[2];

	(void)state;
	product_split((const double[]){ 2, 3 }, (const double[]){ 4, 9 }, 2, parts);
	assert_float_equal(parts[0], 30 * log(2) / log(6), 1e-9);
	assert_float_equal(parts[1], 30 * log(3) / log(6), 1e-9);
}

/* What changes in opposite ways, without a change of the whole: parts cancel. */
static void test_product_that_stays(void **state)
{
	double parts[2];

	(void)state;
	product_split((const double[]){ 2, 8 }, (const double[]){ 4, 4 }, 2, parts);
	assert_float_equal(parts[0], 16 * log(2), 1e-6);
	assert_true(fabs(parts[0] + parts[1]) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_error),
		cmocka_unit_test(test_unsolvable),
		cmocka_unit_test(test_product),
		cmocka_unit_test(test_product_that_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
