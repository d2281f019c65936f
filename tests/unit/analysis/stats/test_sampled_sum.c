// SPDX-License-Identifier: GPL-2.0
/* Estimates from a random sample of units: how often the truth lies in the interval, for units that count in many ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "analysis/stats/sampled_sum.h"
#include "util/random.h"

#define ONE_OF 64
#define MOST_UNITS 20000
#define NR_TRIALS 2000

static struct random random_numbers;

static double draw(void)
{
	return random_share(&random_numbers);
}

static double draw_alike(void)
{
	return 3;
}

/* Most have no sample, and some a few. */
static double draw_few(void)
{
	double limit = exp(-0.3), product = draw();
	int value = 0;

	for (; product > limit; product *= draw())
		value++;
	return value;
}

static double draw_exponential(void)
{
	return -log(1 - draw());
}

/* Of a tree, what is near the root is used most: in each level half as often. */
static double draw_tree(void)
{
	double value = 1;

	while (value < 32 && draw() < 0.5)
		value *= 1.5;
	return value;
}

struct coverage {
	double covered; /* of 100 trials that have bounds */
	double mean; /* estimates of all trials, of the truth */
	double error; /* the standard error of that */
	int nr_bounds;
};

static struct coverage cover(double (*draw_value)(void), size_t nr, double period)
{
	static double values[MOST_UNITS];
	struct coverage coverage = { 0 };
	double truth = 0, squares = 0;

	random_numbers.state = nr;
	for (size_t i = 0; i < nr; i++) {
		values[i] = draw_value();
		truth += values[i];
	}
	for (int trial = 0; trial < NR_TRIALS; trial++) {
		struct sampled_sum sum = { 0 };
		struct sum_estimate got;

		for (size_t i = 0; i < nr; i++) {
			double samples = values[i];

			if (random_u64(&random_numbers) > UINT64_MAX / ONE_OF)
				continue;
			if (period > 0)
				samples = floor(values[i] / period + draw()) * period;
			if (samples > 0)
				sampled_sum_add(&sum, samples, period * samples);
		}
		got = sampled_sum_estimate(&sum, ONE_OF);
		coverage.mean += got.value / truth / NR_TRIALS;
		squares += got.value * got.value / truth / truth / NR_TRIALS;
		coverage.nr_bounds += got.has_bounds;
		coverage.covered += got.has_bounds && got.low <= truth && truth <= got.high;
	}
	coverage.covered *= 100.0 / (coverage.nr_bounds ? coverage.nr_bounds : 1);
	coverage.error = sqrt((squares - coverage.mean * coverage.mean) / NR_TRIALS);
	return coverage;
}

static const struct kind {
	const char *name;
	double (*draw_value)(void);
	size_t nr;
	double least;
	double most;
} kinds[] = {
	{ "alike", draw_alike, 640, 93, 97.5 },
	{ "alike", draw_alike, 2000, 93, 97 },
	{ "alike", draw_alike, 20000, 93, 97 },
	{ "few", draw_few, 2000, 91, 97.5 },
	{ "few", draw_few, 20000, 93, 97 },
	{ "exponential", draw_exponential, 1000, 91, 97 },
	{ "exponential", draw_exponential, 4000, 93, 97 },
	{ "exponential", draw_exponential, 20000, 93, 97 },
	{ "a tree", draw_tree, 2000, 91, 97 },
	{ "a tree", draw_tree, 20000, 93, 97 },
};

static void assert_covers(double period)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct coverage got = cover(kinds[i].draw_value, kinds[i].nr, period);

		printf("# %s, %zu units: %.1f of 100 covered, of %d; mean %.4f +/- %.4f\n",
		       kinds[i].name, kinds[i].nr, got.covered, got.nr_bounds, got.mean, got.error);
		assert_in_range((int)(10 * got.covered), (int)(10 * kinds[i].least),
				(int)(10 * kinds[i].most));
		assert_true(fabs(got.mean - 1) < 4 * got.error);
	}
}

static void covers_as_often_as_it_claims(void **state)
{
	(void)state;
	assert_covers(0);
}

/* What is seen of a unit is samples, one per two of what counts. */
static void covers_values_that_are_estimates(void **state)
{
	(void)state;
	assert_covers(2);
}

static void add_units(struct sampled_sum *sum, int nr, double value)
{
	for (int i = 0; i < nr; i++)
		sampled_sum_add(sum, value, 0);
}

static void few_units_tell_no_bounds(void **state)
{
	struct sampled_sum sum = { 0 };

	(void)state;
	assert_false(sampled_sum_estimate(&sum, 64).has_bounds);
	add_units(&sum, 4, 7);
	assert_false(sampled_sum_estimate(&sum, 64).has_bounds);
	assert_true(sampled_sum_estimate(&sum, 64).value == 4 * 7 * 64);
	add_units(&sum, 1, 7);
	assert_true(sampled_sum_estimate(&sum, 64).has_bounds);
}

/* That another one that was not seen makes as much cannot be ruled out. */
static void one_great_unit_tells_no_bounds(void **state)
{
	struct sampled_sum sum = { 0 };

	(void)state;
	add_units(&sum, 100, 1);
	assert_true(sampled_sum_estimate(&sum, 64).has_bounds);
	add_units(&sum, 1, 100);
	assert_false(sampled_sum_estimate(&sum, 64).has_bounds);
}

/* The bounds of 10 units, where one in R was seen and R is great: those of a rate by Poisson's score test. */
static void bounds_are_those_of_the_score_test(void **state)
{
	struct sampled_sum sum = { 0 };
	struct sum_estimate got;

	(void)state;
	add_units(&sum, 10, 1);
	got = sampled_sum_estimate(&sum, 1e9);
	assert_true(fabs(got.low / 1e9 - 5.432) < 0.001);
	assert_true(fabs(got.high / 1e9 - 18.409) < 0.001);
}

static void all_units_make_it_exact(void **state)
{
	struct sampled_sum sum = { 0 };
	struct sum_estimate got;

	(void)state;
	add_units(&sum, 10, 3);
	got = sampled_sum_estimate(&sum, 1);
	assert_true(got.has_bounds && got.value == 30 && got.low == 30 && got.high == 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(covers_as_often_as_it_claims),
		cmocka_unit_test(covers_values_that_are_estimates),
		cmocka_unit_test(few_units_tell_no_bounds),
		cmocka_unit_test(one_great_unit_tells_no_bounds),
		cmocka_unit_test(bounds_are_those_of_the_score_test),
		cmocka_unit_test(all_units_make_it_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
