// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Percentiles of instances, from made-up events, and whether their intervals cover as often as they claim.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/instances/percentiles.h"
#include "analysis/stats/quantile_interval.h"
#include "events.h"

#define A 101
#define WORK 20u
#define RARE 21u
#define US 1000ull

/*
 * @nr instances of 1 us, 2 us, ..., the longest first, one less than enough of another task, and just enough waits of its
 * name.
 */
static struct model *make(unsigned int nr)
{
	uint64_t now_ns = 1000;

	script_begin();
	feed_switch_at(now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(now_ns, 0, A);
	for (unsigned int i = 0; i < nr; i++) {
		feed_begin_at(now_ns, 0, A, WORK, TRACE_SPAN_WORK);
		now_ns += (nr - i) * US;
		feed_end_at(now_ns, 0, A);
	}
	for (unsigned int i = 1; i < PERCENTILES_LEAST_INSTANCES; i++) {
		feed_begin_at(now_ns, 0, A, RARE, TRACE_SPAN_WORK);
		feed_end_at(now_ns += US, 0, A);
	}
	for (unsigned int i = 0; i < PERCENTILES_LEAST_INSTANCES; i++) {
		feed_begin_at(now_ns, 0, A, RARE, TRACE_SPAN_WAIT);
		feed_end_at(now_ns += (i % 2 ? 3 : 7) * US, 0, A);
	}
	feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

static void expect(const struct percentile_row *row, uint64_t us, uint64_t low_us, uint64_t high_us)
{
	assert_int_equal(row->ns, us * US);
	assert_int_equal(row->to_ns - row->from_ns, us * US);
	assert_int_equal(row->has_low, low_us != 0);
	assert_int_equal(row->has_high, high_us != 0);
	assert_int_equal(row->low_ns, low_us * US);
	assert_int_equal(row->high_ns, high_us * US);
}

/* They stand last. Half of them take 3 us, the others 7. */
static void expect_waits(const struct task_stats *stats, const struct percentiles *got)
{
	const struct percentile_row *rows = got->rows + got->nr_rows - NR_PERCENTILES;

	for (size_t i = 0; i < NR_PERCENTILES; i++) {
		assert_int_equal(stats->tasks[rows[i].task].kind, TRACE_SPAN_WAIT);
		assert_int_equal(rows[i].nr_instances, PERCENTILES_LEAST_INSTANCES);
		assert_int_equal(rows[i].ns, (i ? 7 : 3) * US);
	}
	assert_int_equal(got->buckets[got->nr_buckets - 2].nr_instances, 15);
	assert_int_equal(got->buckets[got->nr_buckets - 1].nr_instances, 15);
}

/* The ranks are those of Hahn and Meeker's tables. */
static void test_of_a_hundred(void **state)
{
	struct model *model = make(100);
	struct task_stats *stats = task_stats_compute(model);
	struct percentiles got = percentiles_compute(model, stats);

	(void)state;
	assert_int_equal(got.nr_rows, 2 * NR_PERCENTILES);
	expect(&got.rows[0], 50, 40, 61);
	expect(&got.rows[1], 90, 84, 96);
	expect(&got.rows[2], 99, 97, 0);
	expect(&got.rows[3], 100, 99, 0);
	expect(&got.rows[4], 100, 0, 0);
	assert_int_equal(got.rows[0].nr_instances, 100);
	/* 1; 2 to 4; 5 to 9; 10 to 19; 20 to 49; 50 to 99; 100 */
	assert_int_equal(got.nr_buckets, 7 + 2);
	assert_int_equal(got.buckets[0].from_ns, 1 * US);
	assert_int_equal(got.buckets[0].nr_instances, 1);
	assert_int_equal(got.buckets[4].nr_instances, 30);
	assert_int_equal(got.buckets[5].from_ns, 50 * US);
	assert_int_equal(got.buckets[5].below_ns, 100 * US);
	assert_int_equal(got.buckets[5].nr_instances, 50);
	expect_waits(stats, &got);
	percentiles_free(&got);
	task_stats_free(stats);
	model_free(model);
}

static void test_too_few(void **state)
{
	struct model *model = make(PERCENTILES_LEAST_INSTANCES - 1);
	struct task_stats *stats = task_stats_compute(model);
	struct percentiles got = percentiles_compute(model, stats);

	(void)state;
	assert_int_equal(got.nr_rows, NR_PERCENTILES);
	assert_int_equal(got.nr_buckets, 2);
	expect_waits(stats, &got);
	percentiles_free(&got);
	task_stats_free(stats);
	model_free(model);
}

/* P(Binomial(nr, share) < rank), added up term by term. */
static double below(size_t nr, double share, size_t rank)
{
	double sum = 0;

	for (size_t k = 0; k < rank && k <= nr; k++)
		sum += exp(lgamma((double)nr + 1) - lgamma((double)k + 1) -
			   lgamma((double)(nr - k) + 1) + (double)k * log(share) +
			   (double)(nr - k) * log1p(-share));
	return sum;
}

static void check_coverage(size_t nr, double share)
{
	struct quantile_interval interval = quantile_interval_of(nr, share, 0.95);

	assert_true(interval.low < interval.high);
	assert_true(interval.high <= nr + 1);
	assert_true(below(nr, share, interval.low) <= 0.025 + 1e-9);
	assert_true(1 - below(nr, share, interval.high) <= 0.025 + 1e-9 || interval.high == nr + 1);
	/* One step less at either end would miss more often. */
	assert_true(below(nr, share, interval.low + 1) > 0.025 - 1e-9);
	if (interval.high > 1)
		assert_true(1 - below(nr, share, interval.high - 1) > 0.025 - 1e-9);
}

static void test_coverage(void **state)
{
	static const double shares[] = { 0.5, 0.9, 0.99, 0.999 };

	(void)state;
	for (size_t nr = 30; nr < 5000; nr += nr / 7) {
		for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
			check_coverage(nr, shares[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_of_a_hundred),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
