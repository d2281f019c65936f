// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Readings of counters that CPUs share: what was counted between them, who is believed, and what regions get of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/uncore/uncore_series.h"
#include "events.h"

#define READER 10
#define FORGER 11
#define COUNT(count, enabled, running) ((struct uncore_count){ count, enabled, running })

/* READER runs on CPU 0 from 1000 to 9000, FORGER on CPU 1. */
static void begin(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, READER, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, FORGER, TRACE_OUT_RUNNABLE);
	feed_uncore_event_at(1000, 0, READER, 0, 0.5);
	feed_uncore_event_at(1000, 0, READER, 1, 4);
}

static struct model *end(void)
{
	feed_switch_at(9000, 0, READER, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(9000, 1, FORGER, 0, TRACE_OUT_SLEEPING);
	return script_end();
}

static void expect_reading(const struct model *model, size_t row, struct uncore_reading_row wanted)
{
	const struct uncore_reading_table *got = &model->uncore_readings;

	assert_int_equal(got->start_ns[row], wanted.start_ns);
	assert_int_equal(got->end_ns[row], wanted.end_ns);
	assert_int_equal(got->counter[row], wanted.counter);
	assert_int_equal(got->count[row], wanted.count);
	assert_int_equal(got->lasted_ns[row], wanted.lasted_ns);
	assert_int_equal(got->running_ns[row], wanted.running_ns);
}

static void test_readings(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_uncore_count_at(1000, 0, READER, 0, COUNT(500, 100, 100));
	feed_uncore_count_at(1000, 0, READER, 1, COUNT(0, 50, 50));
	/* The counter was read a little before the line was written. */
	feed_uncore_count_at(3000, 0, READER, 0, COUNT(700, 2090, 2090));
	feed_uncore_count_at(3000, 0, READER, 1, COUNT(10, 2050, 550));
	feed_uncore_count_at(5000, 0, READER, 1, COUNT(10, 4050, 550));
	model = end();
	assert_int_equal(model->uncore_readings.nr, 3);
	expect_reading(model, 0, (struct uncore_reading_row){ 0, 2000, 0, 200, 1990, 1990 });
	/* Counted a quarter of the time: scaled up. */
	expect_reading(model, 1, (struct uncore_reading_row){ 0, 2000, 1, 40, 2000, 500 });
	/* It had no turn: not known. */
	expect_reading(model, 2, (struct uncore_reading_row){ 2000, 4000, 1, 0, 2000, 0 });
	assert_int_equal(model->nr_uncore_counters, 2);
	assert_true(model->uncore_counters[0].most_per_s == 200 * 0.5 * 1e9 / 1990);
	assert_true(model->uncore_counters[1].most_per_s == 40 * 4 * 1e9 / 2000);
	model_free(model);
}

/* Only who told of the first counter. */
static void test_forged(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_uncore_count_at(1000, 0, READER, 0, COUNT(500, 100, 100));
	feed_uncore_event_at(1500, 1, FORGER, 0, 1e9);
	feed_uncore_event_at(1500, 1, FORGER, 2, 1);
	feed_uncore_count_at(2000, 1, FORGER, 0, COUNT(1000000, 1000, 1000));
	feed_uncore_count_at(3000, 0, READER, 0, COUNT(700, 2100, 2100));
	model = end();
	assert_int_equal(model->nr_uncore_counters, 2);
	assert_true(model->uncore_counters[0].scale == 0.5);
	assert_int_equal(model->uncore_readings.nr, 1);
	expect_reading(model, 0, (struct uncore_reading_row){ 0, 2000, 0, 200, 2000, 2000 });
	model_free(model);
}

/* What does not grow, or is told of no counter, makes no reading; the next one is counted from there. */
static void test_odd_counts(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_uncore_count_at(1000, 0, READER, 0, COUNT(500, 100, 100));
	feed_uncore_count_at(2000, 0, READER, 0, COUNT(400, 1100, 1100));
	feed_uncore_count_at(3000, 0, READER, 0, COUNT(500, 1100, 1100));
	feed_uncore_count_at(4000, 0, READER, 0, COUNT(600, 2100, 2100));
	feed_uncore_count_at(4000, 0, READER, 7, COUNT(600, 2100, 2100));
	feed_uncore_count_at(4000, 0, READER, MODEL_MOST_UNCORE_COUNTERS, COUNT(6, 21, 21));
	feed_uncore_event_at(5000, 0, READER, MODEL_MOST_UNCORE_COUNTERS, 1);
	model = end();
	assert_int_equal(model->nr_uncore_counters, 2);
	assert_int_equal(model->uncore_readings.nr, 1);
	expect_reading(model, 0, (struct uncore_reading_row){ 2000, 3000, 0, 100, 1000, 1000 });
	model_free(model);
}

static void expect_amount(const struct uncore_amount *got, double amount, double least, double most,
			  uint64_t known_ns)
{
	assert_true(got->amount == amount);
	assert_true(got->least == least);
	assert_true(got->most == most);
	assert_int_equal(got->known_ns, known_ns);
}

/* 100 units in each of [0, 1000), [1000, 2000), [2000, 3000); then nothing is known until 4000; then 300 until 6000. */
static void test_between(void **state)
{
	struct uncore_series *series;
	struct uncore_amount amount;
	struct model *model;

	(void)state;
	begin();
	feed_uncore_count_at(1000, 0, READER, 0, COUNT(0, 0, 0));
	feed_uncore_count_at(2000, 0, READER, 0, COUNT(200, 1000, 1000));
	feed_uncore_count_at(3000, 0, READER, 0, COUNT(400, 2000, 2000));
	feed_uncore_count_at(4000, 0, READER, 0, COUNT(600, 3000, 3000));
	feed_uncore_count_at(5000, 0, READER, 0, COUNT(600, 4000, 3000));
	feed_uncore_count_at(7000, 0, READER, 0, COUNT(1200, 6000, 5000));
	model = end();
	series = uncore_series_new(model);
	amount = uncore_series_between(&series[0], model, 0, 3000);
	expect_amount(&amount, 300, 300, 300, 3000);
	amount = uncore_series_between(&series[0], model, 500, 2250);
	expect_amount(&amount, 50 + 100 + 25, 100, 300, 1750);
	amount = uncore_series_between(&series[0], model, 1100, 1200);
	expect_amount(&amount, 10, 0, 100, 100);
	amount = uncore_series_between(&series[0], model, 2000, 5000);
	expect_amount(&amount, 100 + 150, 100, 400, 2000);
	amount = uncore_series_between(&series[0], model, 3200, 3800);
	expect_amount(&amount, 0, 0, 0, 0);
	amount = uncore_series_between(&series[1], model, 0, 8000);
	expect_amount(&amount, 0, 0, 0, 0);
	assert_false(amount.is_scaled);
	uncore_series_free(series, model);
	model_free(model);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_readings),
		cmocka_unit_test(test_forged),
		cmocka_unit_test(test_odd_counts),
		cmocka_unit_test(test_between),
	};

	return RUN_IN_WINDOWS(tests);
}
