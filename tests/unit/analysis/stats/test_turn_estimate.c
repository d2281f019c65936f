// SPDX-License-Identifier: GPL-2.0
/* SLOW */
/*
 * Counts of events that took turns: how often the truth lies in the interval, for rates that change in many ways.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/stats/turn_estimate.h"
#include "util/random.h"

#define MS 1000000u
#define MOST_MS 1000
#define STEPS 4 /* of rates, in a millisecond */
#define NR_TRIALS 2000

static struct random random_numbers;

static double draw(void)
{
	return random_share(&random_numbers);
}

static double draw_exponential(double mean)
{
	return -mean * log(1 - draw());
}

/* Counts of each step of time. */
typedef void (*draw_rates)(double *rates, size_t nr);

static void draw_noise(double *rates, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		rates[i] = 100 * draw();
}

/* Levels that last @mean_ms. */
static void draw_levels(double *rates, size_t nr, double mean_ms)
{
	double left = 0, rate = 0;

	for (size_t i = 0; i < nr; i++, left--) {
		if (left <= 0) {
			left = draw_exponential(mean_ms * STEPS);
			rate = 1 + 99 * draw();
		}
		rates[i] = rate;
	}
}

static void draw_short_levels(double *rates, size_t nr)
{
	draw_levels(rates, nr, 3);
}

/* Levels, and noise above them. */
static void draw_mixed(double *rates, size_t nr)
{
	draw_levels(rates, nr, 40);
	for (size_t i = 0; i < nr; i++)
		rates[i] += 60 * draw();
}

static void draw_phases(double *rates, size_t nr)
{
	draw_levels(rates, nr, 8);
}

static void draw_on_off(double *rates, size_t nr)
{
	double left = 0;
	bool is_on = false;

	for (size_t i = 0; i < nr; i++, left--) {
		if (left <= 0) {
			left = draw_exponential(6 * STEPS);
			is_on = !is_on;
		}
		rates[i] = is_on ? 100 : 1;
	}
}

static void draw_walk(double *rates, size_t nr)
{
	double rate = 50;

	for (size_t i = 0; i < nr; i++) {
		rate = fabs(rate + 8 * (draw() - 0.5));
		rates[i] = rate;
	}
}

/* The next @ns of the thread's time. */
static struct turn_part part_of(uint32_t thread, uint64_t *at_ns, uint64_t ns)
{
	struct turn_part part = { thread, *at_ns, ns };

	*at_ns += ns;
	return part;
}

static double sum_of_ms(const double *rates, size_t ms)
{
	double sum = 0;

	for (size_t i = 0; i < STEPS; i++)
		sum += rates[ms * STEPS + i];
	return sum;
}

/* Of a task: every second stretch of 10 ms. */
static bool is_inside(size_t ms)
{
	return ms / 10 % 2;
}

/*
 * One of three groups of events has the counters, for @turn_ms; of the first ms of these, the counter does not have all. @inside:
 * only what is_inside() is estimated.
 */
static struct turn_estimate estimate(const double *rates, size_t nr, size_t turn_ms, size_t phase,
				     bool inside)
{
	struct turn_sums sums = { 0 };
	uint64_t at_ns = 0;

	for (size_t i = 0; i < nr; i++) {
		struct turn_part part = part_of(1, &at_ns, MS);

		if (inside && !is_inside(i))
			continue;
		if ((i + phase) / turn_ms % 3 || (i + phase) % turn_ms == 0)
			turn_sums_pass(&sums, part);
		else
			turn_sums_count(&sums, part, sum_of_ms(rates, i));
	}
	turn_sums_close(&sums);
	return turn_estimate_of(&sums);
}

static double sum_of(const double *rates, size_t nr, bool inside)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += !inside || is_inside(i) ? sum_of_ms(rates, i) : 0;
	return sum;
}

struct coverage {
	double covered; /* of 100 */
	double width; /* mean error that is told, and that is made, of the truth */
	double miss;
};

static struct coverage cover(draw_rates draw_all, size_t nr, size_t turn_ms, bool inside)
{
	struct coverage coverage = { 0 };
	double rates[MOST_MS * STEPS];

	random_numbers.state = 1;
	for (int trial = 0; trial < NR_TRIALS; trial++) {
		struct turn_estimate got;
		double truth, miss;

		draw_all(rates, nr * STEPS);
		got = estimate(rates, nr, turn_ms, (size_t)(3 * turn_ms * draw()), inside);
		truth = sum_of(rates, nr, inside);
		miss = fabs(got.count - truth);
		coverage.covered += miss <= got.error;
		coverage.width += got.error / truth / NR_TRIALS;
		coverage.miss += miss / truth / NR_TRIALS;
	}
	coverage.covered *= 100.0 / NR_TRIALS;
	return coverage;
}

struct kind {
	const char *name;
	draw_rates draw_all;
	size_t nr_ms;
	double least;
	double most;
};

static void assert_covered(const struct kind *kinds, size_t nr, size_t turn_ms, bool inside)
{
	for (size_t i = 0; i < nr; i++) {
		struct coverage got = cover(kinds[i].draw_all, kinds[i].nr_ms, turn_ms, inside);

		printf("# %s, %zu ms: %.1f of 100 covered, error told %.3f, made %.3f\n",
		       kinds[i].name, kinds[i].nr_ms, got.covered, got.width, got.miss);
		assert_in_range((int)(10 * got.covered), (int)(10 * kinds[i].least),
				(int)(10 * kinds[i].most));
		/* Of a normal distribution, the bound is 2.5 times the mean error. */
		assert_true(got.width < 4 * got.miss);
	}
}

static void covers_as_often_as_it_claims(void **state)
{
	static const struct kind kinds[] = {
		{ "noise", draw_noise, 150, 93, 97 },
		{ "noise", draw_noise, 600, 93, 97 },
		{ "noise", draw_noise, 1000, 93, 97 },
		{ "levels of 3 ms", draw_short_levels, 150, 93, 97 },
		{ "levels of 3 ms", draw_short_levels, 600, 93, 97 },
		{ "levels of 3 ms", draw_short_levels, 1000, 93, 97 },
		{ "levels of 8 ms", draw_phases, 150, 85, 97 },
		{ "levels of 8 ms", draw_phases, 600, 93, 97 },
		{ "levels of 8 ms", draw_phases, 1000, 93, 97 },
		{ "levels and noise", draw_mixed, 150, 93, 99 },
		{ "levels and noise", draw_mixed, 600, 93, 97 },
		{ "levels and noise", draw_mixed, 1000, 93, 97 },
		{ "on and off", draw_on_off, 150, 93, 97 },
		{ "on and off", draw_on_off, 600, 93, 97 },
		{ "on and off", draw_on_off, 1000, 93, 97 },
		{ "walk", draw_walk, 150, 93, 98 },
		{ "walk", draw_walk, 600, 93, 97 },
		{ "walk", draw_walk, 1000, 93, 97 },
	};

	(void)state;
	assert_covered(kinds, sizeof(kinds) / sizeof(kinds[0]), 4, false);
}

static void covers_tasks_as_often(void **state)
{
	static const struct kind kinds[] = {
		{ "noise", draw_noise, 600, 93, 97 },
		{ "noise", draw_noise, 1000, 93, 97 },
		{ "levels of 8 ms", draw_phases, 600, 93, 97 },
		{ "levels of 8 ms", draw_phases, 1000, 93, 97 },
		{ "levels and noise", draw_mixed, 1000, 93, 97 },
		{ "on and off", draw_on_off, 1000, 93, 97 },
		{ "walk", draw_walk, 600, 93, 97 },
		{ "walk", draw_walk, 1000, 93, 97 },
	};

	(void)state;
	assert_covered(kinds, sizeof(kinds) / sizeof(kinds[0]), 8, true);
}

static void is_exact_where_all_was_counted(void **state)
{
	struct turn_sums sums = { 0 };
	uint64_t at_ns = 0;
	struct turn_estimate got;

	(void)state;
	for (int i = 0; i < 10; i++)
		turn_sums_count(&sums, part_of(3, &at_ns, MS), i);
	turn_sums_close(&sums);
	got = turn_estimate_of(&sums);
	assert_true(got.count == 45 && got.error == 0 && got.share == 1);
	assert_int_equal(got.nr_turns, 1);
}

static void is_exact_for_a_rate_that_does_not_change(void **state)
{
	struct turn_estimate got;
	double rates[MOST_MS * STEPS];

	(void)state;
	for (size_t i = 0; i < MOST_MS * STEPS; i++)
		rates[i] = 7;
	got = estimate(rates, MOST_MS, 4, 5, false);
	assert_true(fabs(got.count - 7 * STEPS * MOST_MS) < 1e-6);
	assert_true(got.error < 1e-6);
	assert_true(fabs(got.share - 0.25) < 0.01);
}

static void few_turns_tell_no_error(void **state)
{
	struct turn_sums sums = { 0 };
	uint64_t at_ns = 0;

	(void)state;
	for (int i = 0; i < 3; i++) {
		turn_sums_count(&sums, part_of(1, &at_ns, MS), 5);
		turn_sums_pass(&sums, part_of(1, &at_ns, 2 * MS));
	}
	turn_sums_close(&sums);
	assert_true(fabs(turn_estimate_of(&sums).count - 45) < 1e-9);
	assert_true(isinf(turn_estimate_of(&sums).error));
}

static void a_thread_that_was_never_counted_is_not_known(void **state)
{
	struct turn_sums sums = { 0 };
	uint64_t at_ns = 0;

	(void)state;
	turn_sums_pass(&sums, part_of(1, &at_ns, 2 * MS));
	turn_sums_close(&sums);
	assert_true(isinf(turn_estimate_of(&sums).error));
	assert_int_equal(turn_estimate_of(&sums).nr_turns, 0);
}

/* Each thread is an estimate of its own, with a rate of its own. */
static void threads_add_up(void **state)
{
	struct turn_sums sum = { 0 }, one = { 0 };
	uint64_t at_ns = 0;

	(void)state;
	for (uint32_t thread = 1; thread <= 2; thread++) {
		for (int i = 0; i < 20; i++) {
			turn_sums_count(&one, part_of(thread, &at_ns, MS), thread * 10);
			turn_sums_pass(&one, part_of(thread, &at_ns, thread * MS));
		}
	}
	turn_sums_close(&one);
	turn_sums_add(&sum, &one);
	assert_true(fabs(turn_estimate_of(&sum).count - (20 * 2 * 10 + 20 * 3 * 20)) < 1e-6);
	assert_int_equal(turn_estimate_of(&sum).nr_turns, 40);
	assert_true(fabs(turn_estimate_of(&sum).share - 40.0 / 100) < 1e-9);
}

/* A few counts in the microsecond that is left of a turn are no rate. */
static void a_short_turn_tells_no_rate(void **state)
{
	struct turn_sums sums = { 0 };
	uint64_t at_ns = 0;

	(void)state;
	for (int i = 0; i < 20; i++) {
		turn_sums_count(&sums, part_of(1, &at_ns, MS), 10);
		turn_sums_pass(&sums, part_of(1, &at_ns, MS));
		turn_sums_count(&sums, part_of(1, &at_ns, 1000), 7);
		turn_sums_pass(&sums, part_of(1, &at_ns, MS));
	}
	turn_sums_close(&sums);
	assert_true(fabs(turn_estimate_of(&sums).count - 20 * (10 + 10 + 7 + 10)) < 1e-6);
	assert_int_equal(turn_estimate_of(&sums).nr_turns, 20);
}

/* A thread that ran hardly at all makes the sum a little less certain, not unknown. */
static void a_short_thread_does_not_hide_the_others(void **state)
{
	struct turn_sums sums = { 0 };
	uint64_t at_ns = 0;
	struct turn_estimate got;

	(void)state;
	for (int i = 0; i < 20; i++) {
		turn_sums_count(&sums, part_of(1, &at_ns, MS), 10);
		turn_sums_pass(&sums, part_of(1, &at_ns, MS));
	}
	turn_sums_pass(&sums, part_of(2, &at_ns, MS));
	turn_sums_close(&sums);
	got = turn_estimate_of(&sums);
	assert_true(fabs(got.count - 410) < 1e-6);
	assert_true(fabs(got.error - 10) < 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(covers_as_often_as_it_claims),
		cmocka_unit_test(covers_tasks_as_often),
		cmocka_unit_test(is_exact_where_all_was_counted),
		cmocka_unit_test(is_exact_for_a_rate_that_does_not_change),
		cmocka_unit_test(few_turns_tell_no_error),
		cmocka_unit_test(a_thread_that_was_never_counted_is_not_known),
		cmocka_unit_test(threads_add_up),
		cmocka_unit_test(a_short_turn_tells_no_rate),
		cmocka_unit_test(a_short_thread_does_not_hide_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
