// SPDX-License-Identifier: GPL-2.0
/*
 * The test for habits: p of made rounds, how often it finds what is there, and what is not.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/stats/binomial.h"
#include "analysis/stats/consistent_max_test.h"
#include "util/random.h"

#define MOST_MEMBERS 8
#define MOST_ROUNDS 5000

static struct consistent_max test_rounds(const double *values, size_t nr_rounds, size_t nr_members)
{
	static struct consistent_max_value rows[MOST_ROUNDS * MOST_MEMBERS];
	static size_t first[MOST_ROUNDS + 1];

	for (size_t i = 0; i < nr_rounds * nr_members; i++)
		rows[i] = (struct consistent_max_value){ (uint32_t)(i % nr_members), values[i] };
	for (size_t i = 0; i <= nr_rounds; i++)
		first[i] = i * nr_members;
	return consistent_max_test(rows, first, nr_rounds, nr_members);
}

/* Of 2^n ways to deal out n pairs, two have all the greater ones with one member. */
static void test_exact(void **state)
{
	double values[2 * 8];

	(void)state;
	for (size_t i = 0; i < 8; i++) {
		values[2 * i] = 1000;
		values[2 * i + 1] = 1100;
	}
	for (size_t nr = 4; nr <= 8; nr++) {
		struct consistent_max consistent_max = test_rounds(values, nr, 2);
		double wanted = 2 / exp2((double)nr);

		assert_int_equal(consistent_max.member, 1);
		if (wanted > CONSISTENT_MAX_CHANCE)
			assert_true(consistent_max.p_value > CONSISTENT_MAX_CHANCE);
		else
			assert_float_equal(consistent_max.p_value, wanted, 0.0025);
	}
}

static void test_nothing(void **state)
{
	double values[4 * 5] = { 0 };

	(void)state;
	assert_float_equal(test_rounds(values, 0, 4).p_value, 1, 0);
	assert_float_equal(test_rounds(values, 5, 4).p_value, 1, 0);
	for (size_t i = 0; i < 4 * 5; i++)
		values[i] = 1000;
	assert_true(test_rounds(values, 5, 4).p_value > 0.5);
}

/* Who is late once, by however much, has no habit; who always is, has it beside that. */
static void test_once(void **state)
{
	static const double noise[4] = { 0, 10, 20, 30 };
	double values[4 * 8];
	struct consistent_max consistent_max;

	(void)state;
	for (size_t i = 0; i < 4 * 8; i++)
		values[i] = 1000 + noise[(i + i / 4) % 4];
	values[3] = 9000;
	assert_true(test_rounds(values, 8, 4).p_value > CONSISTENT_MAX_CHANCE);
	for (size_t i = 0; i < 8; i++)
		values[4 * i + 1] += 100;
	consistent_max = test_rounds(values, 8, 4);
	assert_int_equal(consistent_max.member, 1);
	assert_true(consistent_max.p_value <= CONSISTENT_MAX_CHANCE);
}

/* A round counts as much as any other, however long it is. */
static void test_long_rounds(void **state)
{
	struct random random = { 1 };
	double values[4 * 8], longer[4 * 8];

	(void)state;
	for (size_t i = 0; i < 4 * 8; i++) {
		values[i] = 1 + 0.05 * random_share(&random) + (i % 4 == 1 ? 0.02 : 0);
		longer[i] = values[i] * (double)(1u << i / 4);
	}
	assert_float_equal(test_rounds(values, 8, 4).p_value, test_rounds(longer, 8, 4).p_value,
			   1e-6);
}

/* A member may be missing in some rounds, and rounds be of different sizes. */
static void test_different_rounds(void **state)
{
	static struct consistent_max_value rows[] = {
		{ 7, 1000 }, { 9, 1200 }, { 5, 1010 }, { 9, 240 }, { 7, 200 },
		{ 9, 36 },   { 5, 31 },	  { 3, 30 },   { 3, 500 }, { 5, 510 },
		{ 9, 601 },  { 7, 505 },  { 7, 91 },   { 5, 92 },  { 3, 90 },
		{ 9, 111 },  { 9, 119 },  { 3, 100 },  { 5, 101 }, { 7, 100 },
	};
	static const size_t first[] = { 0, 3, 5, 8, 12, 16, 20 };
	struct consistent_max consistent_max = consistent_max_test(rows, first, 6, 10);

	(void)state;
	assert_int_equal(consistent_max.member, 9);
	assert_true(consistent_max.p_value <= CONSISTENT_MAX_CHANCE);
}

static double draw_normal(struct random *random)
{
	double radius = sqrt(-2 * log(1 - random_share(random)));

	return radius * cos(2 * acos(-1) * random_share(random));
}

/* What the test is better than: in how many rounds a member has most. */
static double count_p_value(const double *values, size_t nr_rounds, size_t nr_members,
			    uint32_t member)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < nr_rounds; i++) {
		const double *round = values + i * nr_members;
		size_t most = 0;

		for (size_t j = 1; j < nr_members; j++)
			most = round[j] > round[most] ? j : most;
		nr += most == member;
	}
	return (double)nr_members * binomial_tail(nr_rounds, 1 / (double)nr_members, nr);
}

struct found {
	unsigned int right; /* of 100 trials: member 2, by the test ... */
	unsigned int wrong; /* ... or another */
	unsigned int counted; /* member 2, by counting */
};

/* Each has 1 +- @noise; one in 20 half as much again, if @odd; member 2 has @more. */
static struct found try_100(size_t nr_rounds, size_t nr_members, double more, double noise, int odd)
{
	double values[20 * MOST_MEMBERS];
	struct random random = { nr_rounds * nr_members };
	struct found found = { 0 };

	for (int trial = 0; trial < 100; trial++) {
		struct consistent_max consistent_max;

		for (size_t i = 0; i < nr_rounds * nr_members; i++) {
			values[i] = 1 + noise * draw_normal(&random);
			values[i] += i % nr_members == 2 ? more : 0;
			values[i] += odd && !random_below(&random, 20) ? 0.5 : 0;
		}
		consistent_max = test_rounds(values, nr_rounds, nr_members);
		found.right += consistent_max.p_value <= CONSISTENT_MAX_CHANCE &&
			       consistent_max.member == 2;
		found.wrong += consistent_max.p_value <= CONSISTENT_MAX_CHANCE &&
			       consistent_max.member != 2;
		found.counted += count_p_value(values, nr_rounds, nr_members, 2) <=
				 CONSISTENT_MAX_CHANCE;
	}
	return found;
}

static void check_power(size_t nr_rounds, double more, double noise, int odd, unsigned int least)
{
	struct found found = try_100(nr_rounds, 4, more, noise, odd);

	print_message("%zu rounds, %.0f %% more, noise %.0f %%: found %u, by counting %u\n",
		      nr_rounds, 100 * more, 100 * noise, found.right, found.counted);
	assert_in_range(found.right, least, 100);
	assert_in_range(found.counted, 0, found.right);
	assert_int_equal(found.wrong, 0);
}

/*
 * Where there are 5 rounds of 4, 10 % more, and a noise of 5 %, nobody finds more than 94 of 100, not
 * even who knows beforehand which member it is and how great the noise: the mean is 3.9 of its own
 * errors above that of the others, and 2.3 are needed.
 */
static void test_power(void **state)
{
	(void)state;
	check_power(5, 0.1, 0.05, 0, 50);
	check_power(5, 0.2, 0.05, 0, 95);
	check_power(8, 0.1, 0.05, 0, 90);
	check_power(10, 0.1, 0.05, 0, 95);
	check_power(10, 0.1, 0.03, 1, 90);
	check_power(20, 0.07, 0.07, 0, 75);
}

/* Of equal members, in one of a hundred. */
static void test_chance(void **state)
{
	unsigned int nr = 0;

	(void)state;
	for (size_t nr_members = 3; nr_members <= MOST_MEMBERS; nr_members++) {
		for (size_t nr_rounds = 5; nr_rounds <= 10; nr_rounds += 5) {
			struct found even = try_100(nr_rounds, nr_members, 0, 0.05, 0);
			struct found odd = try_100(nr_rounds, nr_members, 0, 0.05, 1);

			nr += even.right + even.wrong + odd.right + odd.wrong;
		}
	}
	/* Of 2400: three standard deviations around 24. */
	assert_in_range(nr, 9, 39);
}

/* Of more rounds than are looked at, those that are taken lie throughout. */
static void test_many_rounds(void **state)
{
	static double values[MOST_ROUNDS * 4];
	struct random random = { 1 };
	struct consistent_max consistent_max;

	(void)state;
	for (size_t i = 0; i < MOST_ROUNDS * 4; i++)
		values[i] = 1 + 0.05 * draw_normal(&random) +
			    (i % 4 == 3 && i / 4 > MOST_ROUNDS / 2 ? 0.05 : 0);
	consistent_max = test_rounds(values, MOST_ROUNDS, 4);
	assert_int_equal(consistent_max.member, 3);
	assert_float_equal(consistent_max.p_value, 1 / 2000., 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_long_rounds),
		cmocka_unit_test(test_different_rounds),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_chance),
		cmocka_unit_test(test_many_rounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
