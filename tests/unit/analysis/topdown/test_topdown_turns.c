// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/analysis/topdown/topdown_runs.c tests/unit/analysis/topdown/topdown_ways.c tests/lib/events.c tests/lib/model_check.c */
/* SLOW */
/*
 * Figures of a part of the time: their intervals, and how often they hold.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "topdown_runs.h"

/* A half is measured: the figure is of that half, with an interval, and no finding. */
static void test_partly(void **state)
{
	struct topdown_run run = { .way = &skylake,
				   .nr = 200,
				   .noise = 0.05,
				   .missing = 0.5,
				   .missing_counters = 1u << 2 };
	struct topdown_result result;
	const struct topdown_row *row;

	(void)state;
	topdown_run_seed(5);
	result = topdown_run_compute(&run);
	row = topdown_row_of(&result, "chasing");
	assert_true(fabs(row->figures[TOPDOWN_RETIRING].value - chasing.retiring) < 0.01);
	assert_true(row->measured > 0.4 && row->measured < 0.6);
	assert_true(row->figures[TOPDOWN_L2_BOUND].measured > 0.999);
	assert_true(row->figures[TOPDOWN_RETIRING].has_bounds);
	assert_true(row->figures[TOPDOWN_RETIRING].low < row->figures[TOPDOWN_RETIRING].value);
	assert_true(row->figures[TOPDOWN_RETIRING].high > row->figures[TOPDOWN_RETIRING].value);
	assert_true(row->error > 0 && row->error < 0.01);
	assert_int_equal(row->doubt, TOPDOWN_PARTLY);
	assert_null(topdown_finding_of(&result, FINDING_MEMORY_BOUND));
	topdown_run_end(&result);
}

#define ROUNDS 300

/* Of intervals of 95 %, 95 in 100 hold what was counted in all slices, by an event that was counted without a gap. */
static void test_coverage(void **state)
{
	struct topdown_run run = { .way = &skylake,
				   .nr = 100,
				   .noise = 0.1,
				   .missing = 0.4,
				   .missing_counters = 1u << 3 };
	int covered = 0;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		struct topdown_result result;
		const struct metric_estimate *back, *retiring;
		double truth;

		topdown_run_seed((uint64_t)round * 77777 + 1);
		result = topdown_run_compute(&run);
		retiring = &topdown_row_of(&result, "chasing")->figures[TOPDOWN_RETIRING];
		back = &topdown_row_of(&result, "chasing")->figures[TOPDOWN_BACKEND_BOUND];
		truth = 1 - retiring->value - chasing.bad - chasing.front;
		assert_true(back->has_bounds && retiring->measured > 0.999);
		covered += back->low <= truth && truth <= back->high;
		topdown_run_end(&result);
	}
	print_message("%d of %d intervals hold the truth\n", covered, ROUNDS);
	assert_in_range(covered, ROUNDS * 91 / 100, ROUNDS * 98 / 100);
}

#define TURN_ROUNDS 200

/* How many of two intervals hold what comes of all slices. */
static int nr_held_in_turns(const struct topdown_run *run, const struct topdown_run *whole,
			    uint64_t seed)
{
	static const enum topdown_figure figures[] = { TOPDOWN_RETIRING, TOPDOWN_BACKEND_BOUND };
	struct topdown_result result, truth;
	int nr = 0;

	topdown_run_seed(seed);
	result = topdown_run_compute(run);
	topdown_run_seed(seed);
	truth = topdown_run_compute(whole);
	assert_int_equal(topdown_row_of(&result, "chasing")->doubt, TOPDOWN_SURE);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		const struct metric_estimate *own =
			&topdown_row_of(&result, "chasing")->figures[figures[i]];
		double wanted = topdown_row_of(&truth, "chasing")->figures[figures[i]].value;

		assert_true(own->has_bounds && own->measured > 0.1 && own->measured < 0.8);
		nr += own->low <= wanted && wanted <= own->high;
	}
	topdown_run_end(&truth);
	topdown_run_end(&result);
	return nr;
}

/* Eight counters, and shares that change every three slices. */
static void test_turns(void **state)
{
	struct topdown_run run = {
		.way = &skylake, .nr = 480, .noise = 0.1, .nr_shared = 8, .hold = 3
	};
	struct topdown_run whole = run;
	int held = 0;

	(void)state;
	whole.nr_shared = 0;
	for (uint64_t round = 0; round < TURN_ROUNDS; round++)
		held += nr_held_in_turns(&run, &whole, round * 77777 + 1);
	print_message("%d of %d intervals hold the truth\n", held, 2 * TURN_ROUNDS);
	assert_in_range(held, 2 * TURN_ROUNDS * 91 / 100, 2 * TURN_ROUNDS * 98 / 100);
}

/* Few slices, of which one is missing: no interval, no finding. */
static void test_few(void **state)
{
	struct topdown_run run = {
		.way = &skylake, .nr = 6, .missing = 0.02, .missing_counters = 1
	};
	struct topdown_result result;

	(void)state;
	topdown_run_seed(0);
	for (;;) {
		result = topdown_run_compute(&run);
		if (topdown_row_of(&result, "chasing")->measured < 1 - 0.01)
			break;
		topdown_run_end(&result);
	}
	assert_false(topdown_row_of(&result, "chasing")->has_error);
	assert_true(topdown_row_of(&result, "chasing")->doubt == TOPDOWN_FEW ||
		    topdown_row_of(&result, "chasing")->doubt == TOPDOWN_PARTLY);
	assert_null(topdown_finding_of(&result, FINDING_MEMORY_BOUND));
	topdown_run_end(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_partly),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_few),
	};

	return cmocka_run_group_tests(tests, topdown_open_strings, topdown_close_strings);
}
