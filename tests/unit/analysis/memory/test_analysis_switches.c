// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Runs after switches, and their misses, from timelines made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/memory/switch_misses.h"
#include "events.h"

#define A 101
#define B 102
#define C 103
#define MISS 11
#define TASK 1
#define OTHER_TASK 2

static const enum miss_level level[] = { MISS_L2 };
/* No test is of what they cost. */
static const struct miss_costs costs;

static void assert_run(const struct model *model, const struct switch_run *run, uint64_t start_ns,
		       enum switch_after after, int32_t by)
{
	assert_int_equal(run->start_ns + model->start_ns, start_ns);
	assert_int_equal(run->after, after);
	if (by)
		assert_int_equal(model->threads[run->by].tid, by);
	else
		assert_int_equal(run->by, MODEL_NO_THREAD);
}

/* A runs, all inside of a span; who was there in between differs. */
static void test_kinds(void **state)
{
	struct switch_runs runs;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, TASK, TRACE_SPAN_WORK);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE); /* nobody */
	feed_switch_at(1300, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1400, 0, B, C, TRACE_OUT_RUNNABLE);
	feed_switch_at(1410, 0, C, A, TRACE_OUT_RUNNABLE); /* B, and C for a moment */
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1600, 1, 0, A, TRACE_OUT_RUNNABLE); /* moved */
	feed_switch_at(1700, 1, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1750, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1800, 1, 0, A, TRACE_OUT_RUNNABLE); /* B was elsewhere */
	feed_switch_at(1900, 1, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	runs = switch_runs_compute(model);

	assert_int_equal(runs.nr, 4);
	assert_run(model, &runs.rows[0], 1200, AFTER_SAME, 0);
	assert_run(model, &runs.rows[1], 1410, AFTER_OTHER, B);
	assert_run(model, &runs.rows[2], 1600, AFTER_MIGRATION, 0);
	assert_run(model, &runs.rows[3], 1800, AFTER_SAME, 0);
	assert_false(runs.rows[0].preempted);
	assert_true(runs.rows[1].preempted);
	for (size_t i = 0; i < runs.nr; i++)
		assert_int_equal(runs.rows[i].task, TASK);
	switch_runs_free(&runs);
	model_free(model);
}

/* A run is of the task that takes most of it, and of none outside. */
static void test_tasks(void **state)
{
	struct switch_runs runs;
	struct model *model;

	(void)state;
	script_begin();
	for (uint64_t at = 1000; at <= 4000; at += 1000) {
		feed_switch_at(at, 0, 0, A, TRACE_OUT_RUNNABLE);
		if (at == 2000) {
			feed_begin_at(at + 10, 0, A, TASK, TRACE_SPAN_WORK);
			feed_end_at(at + 20, 0, A);
			feed_begin_at(at + 20, 0, A, OTHER_TASK, TRACE_SPAN_WORK);
			feed_end_at(at + 40, 0, A);
		}
		if (at == 3000) {
			feed_begin_at(at + 10, 0, A, TASK, TRACE_SPAN_WAIT);
			feed_end_at(at + 20, 0, A);
		}
		feed_switch_at(at + 100, 0, A, 0, TRACE_OUT_SLEEPING);
	}
	model = script_end();
	runs = switch_runs_compute(model);

	assert_int_equal(runs.nr, 1);
	assert_int_equal(runs.rows[0].task, OTHER_TASK);
	switch_runs_free(&runs);
	model_free(model);
}

/* Runs of 100, 200, ... ns: 3 misses in 100 ns, and 50 more after B. */
static struct model *make_counts(bool with_gap)
{
	uint64_t at = 1000;

	script_begin();
	feed_pmu_event_at(at, 0, MISS, 0, 0);
	feed_switch_at(at, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(at, 0, A, TASK, TRACE_SPAN_WORK);
	feed_switch_at(at += 100, 0, A, 0, TRACE_OUT_SLEEPING);
	for (unsigned int i = 0; i < 40; i++) {
		bool after_other = i % 2;
		uint64_t nr = 1 + i / 2 % 5, count = 3 * nr + (after_other ? 50 : 0);

		if (after_other) {
			feed_switch_at(at += 10, 0, 0, B, TRACE_OUT_RUNNABLE);
			feed_switch_at(at += 90, 0, B, A, TRACE_OUT_SLEEPING);
		} else {
			feed_switch_at(at += 100, 0, 0, A, TRACE_OUT_RUNNABLE);
		}
		at += 100 * nr;
		feed_counts_at(at, 0, A, &count, 1, with_gap && i == 7);
		feed_switch_at(at, 0, A, 0, TRACE_OUT_SLEEPING);
	}
	return script_end();
}

static void test_counts(void **state)
{
	struct switch_misses *misses;
	struct model *model;

	(void)state;
	model = make_counts(false);
	misses = switch_misses_compute(model, level, &costs);
	assert_int_equal(misses->nr_events, 1);
	assert_int_equal(misses->events[0].nr_runs, 40);
	assert_float_equal(misses->events[0].excesses.warm_per_ns, 0.03, 1e-9);
	assert_float_equal(misses->events[0].excesses.of[AFTER_OTHER].mean, 50, 1e-6);
	assert_float_equal(misses->events[0].excesses.of[AFTER_SAME].mean, 0, 1e-6);
	assert_true(misses->events[0].excesses.of[AFTER_OTHER].p_value < 0.01);
	assert_int_equal(misses->events[0].nr_tasks, 1);
	assert_int_equal(model->threads[misses->events[0].tasks[0].victims[AFTER_OTHER].by].tid, B);
	switch_misses_free(misses);
	model_free(model);

	model = make_counts(true);
	misses = switch_misses_compute(model, level, &costs);
	assert_int_equal(misses->events[0].nr_runs, 39);
	assert_int_equal(misses->events[0].nr_left_out, 1);
	switch_misses_free(misses);
	model_free(model);
}

/* Samples: where an excess is in the curve, and by how much time its rate is divided. */
static void test_curves(void **state)
{
	struct switch_misses *misses;
	const struct switch_curve *curve;
	struct model *model;
	uint64_t at = 1000;

	(void)state;
	script_begin();
	feed_pmu_event_at(at, 0, MISS, 10, 0);
	feed_switch_at(at, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(at, 0, A, TASK, TRACE_SPAN_WORK);
	for (int i = 0; i < 10; i++) {
		feed_switch_at(at += 100, 0, A, 0, TRACE_OUT_SLEEPING);
		feed_switch_at(at += 100, 0, 0, A, TRACE_OUT_RUNNABLE);
		feed_sample_at(at + 5000, 0, A, 0, 10, 1);
		feed_sample_at(at + 15000, 0, A, 0, 10, 1);
		feed_sample_at(at + 18000, 0, A, 0, 10, 1);
		at += 40000;
	}
	feed_switch_at(at, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	misses = switch_misses_compute(model, level, &costs);
	curve = &misses->events[0].curves[AFTER_SAME];
	assert_int_equal(curve->nr_runs, 10);
	assert_float_equal(curve->misses[0], 100, 1e-9);
	assert_float_equal(curve->ns[0], 100000, 1e-9);
	assert_float_equal(curve->misses[1], 200, 1e-9);
	assert_float_equal(curve->variance[1], 2000, 1e-9);
	assert_float_equal(curve->misses[2], 0, 1e-9);
	/* The bin ends at 50 us, the runs at 40, but for the last that got 100 ns less or more. */
	assert_true(curve->ns[2] > 199000 && curve->ns[2] < 201500);
	assert_float_equal(curve->ns[3], 0, 1e-9);
	/* In the first half are 30 misses, and nothing in the second. */
	assert_float_equal(misses->events[0].excesses.of[AFTER_SAME].mean, 30, 1e-9);
	switch_misses_free(misses);
	model_free(model);
}

static void test_names(void **state)
{
	(void)state;
	assert_int_equal(miss_level_of_name("l1_cache_miss:u"), MISS_L1);
	assert_int_equal(miss_level_of_name("MEM_LOAD_RETIRED:L2_MISS"), MISS_L2);
	assert_int_equal(miss_level_of_name("LLC-LOAD-MISSES"), MISS_L3);
	assert_int_equal(miss_level_of_name("cache-misses"), MISS_L3);
	assert_int_equal(miss_level_of_name("dtlb_load_miss"), MISS_TLB);
	assert_int_equal(miss_level_of_name("r08d1:u"), MISS_L1);
	assert_int_equal(miss_level_of_name("L1-ICACHE-LOAD-MISSES"), MISS_NONE);
	assert_int_equal(miss_level_of_name("l1_cache_hit"), MISS_NONE);
	assert_int_equal(miss_level_of_name("page_faults"), MISS_NONE);
	assert_int_equal(miss_level_of_name(""), MISS_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),  cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_counts), cmocka_unit_test(test_curves),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
