// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Periods and jitter of made-up tasks that begin by a known grid.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/instances/periodic_tasks.h"
#include "events.h"

#define A 101
#define TASK 20u
#define US 1000ull
#define PERIOD_NS (10000 * US)
#define BEGIN_NS 1 /* of the trace */
#define FIRST_NS (1000 * US)
#define NR 100

/* Instance i begins @begins[i] after step i of the grid, and takes @takes[i]. Without a begin where that is NAN. */
static struct model *make(const double *begins, const double *takes)
{
	double end_ns = 0;

	script_begin();
	feed_switch_at(BEGIN_NS, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, A);
	for (int i = 0; i < NR; i++) {
		double begin_ns = (double)(FIRST_NS + (uint64_t)i * PERIOD_NS) + begins[i];

		if (isnan(begins[i]))
			continue;
		end_ns = begin_ns + takes[i];
		feed_begin_at((uint64_t)begin_ns, 0, A, TASK, TRACE_SPAN_WORK);
		feed_end_at((uint64_t)end_ns, 0, A);
	}
	feed_switch_at((uint64_t)end_ns + 1, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

static struct periodic_tasks compute(struct model *model)
{
	struct task_stats *stats = task_stats_compute(model);
	struct periodic_tasks tasks = periodic_tasks_compute(model, stats);

	task_stats_free(stats);
	model_free(model);
	return tasks;
}

static void expect_near(double value, double wanted, double within)
{
	if (fabs(value - wanted) > within)
		fail_msg("%f, not %f", value, wanted);
}

/* Begins are off by 0 or 100 us by turns, so 50 us from the grid between; one is 2 ms late. Ends also have 0 to 300 us of work. */
static void test_jitter(void **state)
{
	double begins[NR], takes[NR];
	struct periodic_tasks tasks;

	(void)state;
	for (int i = 0; i < NR; i++) {
		begins[i] = i % 2 ? 100 * US : 0;
		takes[i] = (double)(3000 * US + (uint64_t)(i / 2 % 4) * 100 * US);
	}
	begins[51] = 2000 * US;
	tasks = compute(make(begins, takes));
	assert_int_equal(tasks.nr, 1);
	assert_int_equal(tasks.rows[0].nr_instances, NR);
	assert_int_equal(tasks.rows[0].nr_missing, 0);
	expect_near(tasks.rows[0].period_ns, PERIOD_NS, US);
	expect_near((double)tasks.rows[0].begins.median_ns, 50 * US, 10 * US);
	expect_near((double)tasks.rows[0].begins.max_ns, 1950 * US, 20 * US);
	expect_near((double)tasks.rows[0].begins.p99_ns, 50 * US, 20 * US);
	/* The grid of ends is in the middle of 0, 100, ... 400 us. */
	expect_near((double)tasks.rows[0].ends.p99_ns, 200 * US, 20 * US);
	assert_int_equal(tasks.rows[0].worst_from_ns,
			 FIRST_NS + 51 * PERIOD_NS + 2000 * US - BEGIN_NS);
	periodic_tasks_free(&tasks);
}

/* A grid is still found, and what is missing counted. */
static void test_missing(void **state)
{
	double begins[NR] = { 0 }, takes[NR];
	struct periodic_tasks tasks;

	(void)state;
	for (int i = 0; i < NR; i++)
		takes[i] = 1000 * US;
	begins[10] = begins[40] = begins[41] = NAN;
	tasks = compute(make(begins, takes));
	assert_int_equal(tasks.nr, 1);
	assert_int_equal(tasks.rows[0].nr_instances, NR - 3);
	assert_int_equal(tasks.rows[0].nr_missing, 3);
	expect_near(tasks.rows[0].period_ns, PERIOD_NS, 1);
	assert_int_equal(tasks.rows[0].begins.max_ns, 0);
	assert_int_equal(tasks.rows[0].ends.max_ns, 0);
	periodic_tasks_free(&tasks);
}

static void expect_none(const double *begins, const double *takes)
{
	struct periodic_tasks tasks = compute(make(begins, takes));

	assert_int_equal(tasks.nr, 0);
	periodic_tasks_free(&tasks);
}

/* Without a rest; at any time; and with a drift of 3 % to either side, for half of the time each. */
static void test_not_periodic(void **state)
{
	double begins[NR] = { 0 }, takes[NR], drift_ns = 0;

	(void)state;
	for (int i = 0; i < NR; i++)
		takes[i] = PERIOD_NS - 1000;
	expect_none(begins, takes);
	for (int i = 0; i < NR; i++) {
		takes[i] = 100 * US;
		begins[i] = (double)((uint64_t)i * 37 % 80 * 100 * US);
	}
	expect_none(begins, takes);
	for (int i = 0; i < NR; i++) {
		drift_ns += i < NR / 2 ? 300 * US : -300. * US;
		begins[i] = drift_ns;
	}
	expect_none(begins, takes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jitter),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_not_periodic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
