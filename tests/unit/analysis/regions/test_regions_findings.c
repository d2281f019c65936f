// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * When regions are worth a sentence: not for what chance makes, nor for what the scheduler did.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/regions/regions_findings.h"
#include "events.h"

#define A 101
#define OTHER 200
#define NR_THREADS 4
#define LOOP 1u
#define BARRIER 2u

struct fixture {
	struct trace *trace; /* only so that there are strings */
	struct model *model;
	struct task_stats *stats;
	struct regions *regions;
	struct findings findings;
};

static struct fixture look_at(struct model *model)
{
	struct fixture fixture = { .model = model };

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &fixture.trace), 0);
	model->trace = fixture.trace;
	fixture.stats = task_stats_compute(model);
	fixture.regions = regions_compute(model, fixture.stats, NULL);
	fixture.findings = findings_new(model);
	imbalance_add_findings(model, fixture.regions, &fixture.findings);
	serialisation_add_findings(model, fixture.regions, &fixture.findings);
	return fixture;
}

static void done_with(struct fixture *fixture)
{
	findings_free(&fixture->findings);
	regions_free(fixture->regions);
	task_stats_free(fixture->stats);
	model_free(fixture->model);
	trace_close(fixture->trace);
}

static void begin_all(void)
{
	script_begin();
	for (int i = 0; i < NR_THREADS; i++)
		feed_switch_at(1000, i, 0, A + i, TRACE_OUT_RUNNABLE);
}

/* All work 1000, but @straggler @more_ns longer; it is preempted for @held_up_ns. */
static uint64_t one_round(uint64_t from_ns, int straggler, uint64_t more_ns, uint64_t held_up_ns)
{
	uint64_t early_ns = from_ns + 1000, late_ns = early_ns + more_ns + held_up_ns;

	for (int i = 0; i < NR_THREADS; i++)
		feed_begin_at(from_ns, i, A + i, LOOP, TRACE_SPAN_WORK);
	if (held_up_ns) {
		feed_switch_at(from_ns + 1, straggler, A + straggler, OTHER, TRACE_OUT_RUNNABLE);
		feed_switch_at(from_ns + 1 + held_up_ns, straggler, OTHER, A + straggler,
			       TRACE_OUT_SLEEPING);
	}
	for (int i = 0; i < NR_THREADS; i++) {
		if (i == straggler)
			continue;
		feed_end_at(early_ns, i, A + i);
		feed_begin_at(early_ns, i, A + i, BARRIER, TRACE_SPAN_WAIT);
	}
	feed_end_at(late_ns, straggler, A + straggler);
	feed_begin_at(late_ns, straggler, A + straggler, BARRIER, TRACE_SPAN_WAIT);
	for (int i = 0; i < NR_THREADS; i++)
		feed_end_at(late_ns, i, A + i);
	return late_ns;
}

/* 100 of 1100: balance would save 75, 6.8 %. */
static void test_always_the_same(void **state)
{
	uint64_t now_ns = 1000;
	struct fixture fixture;

	(void)state;
	begin_all();
	for (int round = 0; round < 8; round++)
		now_ns = one_round(now_ns, 2, 100, 0);
	fixture = look_at(script_end());
	assert_int_equal(fixture.findings.nr, 1);
	assert_int_equal(fixture.findings.rows[0].kind, FINDING_IMBALANCE);
	assert_int_equal(fixture.findings.rows[0].confidence, CONFIDENCE_HIGH);
	assert_int_equal(fixture.findings.rows[0].time_lost_ns, 8 * 75);
	assert_int_equal(fixture.findings.rows[0].threads[0], thread_of(fixture.model, A + 2, 0));
	assert_int_equal(fixture.findings.rows[0].nr_threads, NR_THREADS);
	assert_int_equal(fixture.findings.rows[0].nr_cpus, 1);
	assert_int_equal(fixture.findings.rows[0].cpus[0], 2);
	done_with(&fixture);
}

/* As much, but each in turn: chance; if it is 300 of 1300, 17 %, it matters all the same. */
static void test_each_in_turn(void **state)
{
	(void)state;
	for (uint64_t more_ns = 100; more_ns <= 300; more_ns += 200) {
		uint64_t now_ns = 1000;
		struct fixture fixture;

		begin_all();
		for (int round = 0; round < 8; round++)
			now_ns = one_round(now_ns, round % NR_THREADS, more_ns, 0);
		fixture = look_at(script_end());
		assert_int_equal(fixture.findings.nr, more_ns == 300);
		if (fixture.findings.nr)
			assert_int_equal(fixture.findings.rows[0].confidence, CONFIDENCE_MEDIUM);
		done_with(&fixture);
	}
}

/* Thread 2 has most work, but thread 3, which is held up, is last. */
static uint64_t disturbed_round(uint64_t from_ns)
{
	static const uint64_t ends_ns[NR_THREADS] = { 1000, 1000, 1150, 1400 };

	for (int i = 0; i < NR_THREADS; i++)
		feed_begin_at(from_ns, i, A + i, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(from_ns + 1, 3, A + 3, OTHER, TRACE_OUT_RUNNABLE);
	feed_switch_at(from_ns + 401, 3, OTHER, A + 3, TRACE_OUT_SLEEPING);
	for (int i = 0; i < NR_THREADS; i++) {
		feed_end_at(from_ns + ends_ns[i], i, A + i);
		feed_begin_at(from_ns + ends_ns[i], i, A + i, BARRIER, TRACE_SPAN_WAIT);
	}
	for (int i = 0; i < NR_THREADS; i++)
		feed_end_at(from_ns + 1400, i, A + i);
	return from_ns + 1400;
}

/* Who has most work each time has it by habit, though once another one came last. */
static void test_one_is_disturbed(void **state)
{
	uint64_t now_ns = 1000;
	struct fixture fixture;

	(void)state;
	begin_all();
	now_ns = disturbed_round(now_ns);
	for (int round = 1; round < 5; round++)
		now_ns = one_round(now_ns, 2, 150, 0);
	fixture = look_at(script_end());
	assert_int_equal(fixture.findings.nr, 1);
	assert_int_equal(fixture.findings.rows[0].kind, FINDING_IMBALANCE);
	assert_int_equal(fixture.findings.rows[0].threads[0], thread_of(fixture.model, A + 2, 0));
	done_with(&fixture);
}

/* Who is last by habit is named, and shown, though another one was further behind once. */
static void test_habit_is_told(void **state)
{
	uint64_t now_ns = 1000;
	struct fixture fixture;

	(void)state;
	begin_all();
	for (int round = 0; round < 9; round++)
		now_ns = round == 4 ? one_round(now_ns, 3, 900, 0) : one_round(now_ns, 2, 110, 0);
	fixture = look_at(script_end());
	assert_int_equal(fixture.findings.nr, 1);
	assert_int_equal(fixture.findings.rows[0].confidence, CONFIDENCE_HIGH);
	assert_int_equal(fixture.findings.rows[0].threads[0], thread_of(fixture.model, A + 2, 0));
	assert_non_null(strstr(fixture.findings.rows[0].text, "in 8 of 9 instances"));
	assert_int_equal(fixture.findings.rows[0].to_ns - fixture.findings.rows[0].from_ns, 1110);
	done_with(&fixture);
}

/* One great round among small differences: no habit. */
static void test_once(void **state)
{
	uint64_t now_ns = 1000;
	struct fixture fixture;

	(void)state;
	begin_all();
	for (int round = 0; round < 8; round++)
		now_ns = one_round(now_ns, 2, round ? 10 : 2000, 0);
	fixture = look_at(script_end());
	assert_int_equal(fixture.findings.nr, 0);
	done_with(&fixture);
}

static void test_few(void **state)
{
	(void)state;
	for (uint64_t more_ns = 100; more_ns <= 300; more_ns += 200) {
		struct fixture fixture;

		begin_all();
		one_round(1000, 2, more_ns, 0);
		fixture = look_at(script_end());
		assert_int_equal(fixture.findings.nr, more_ns == 300);
		if (fixture.findings.nr) {
			assert_int_equal(fixture.findings.rows[0].confidence, CONFIDENCE_LOW);
			assert_int_equal(fixture.findings.rows[0].caveats, CAVEAT_FEW);
		}
		done_with(&fixture);
	}
}

/* It has more work, too, of which balance would save 450 of 2300, but first it was held up. */
static void test_preempted(void **state)
{
	uint64_t now_ns = 1000;
	struct fixture fixture;

	(void)state;
	begin_all();
	for (int round = 0; round < 8; round++)
		now_ns = one_round(now_ns, 2, 600, 700);
	fixture = look_at(script_end());
	assert_int_equal(fixture.regions->nr, 8);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_PREEMPTED);
	assert_int_equal(fixture.findings.nr, 0);
	done_with(&fixture);
}

/* Who is held up now and then, for longer, is not who has more work. */
static void test_straggler_is_who_works(void **state)
{
	uint64_t now_ns = 1000;
	struct fixture fixture;

	(void)state;
	begin_all();
	for (int round = 0; round < 8; round++)
		now_ns = round % 3 == 0 ? one_round(now_ns, 3, 100, 1000) :
					  one_round(now_ns, 2, 500, 0);
	fixture = look_at(script_end());
	assert_int_equal(fixture.findings.nr, 1);
	assert_non_null(strstr(fixture.findings.rows[0].text, "in 5 of 8 instances"));
	done_with(&fixture);
}

static void test_serial(void **state)
{
	struct fixture fixture;

	(void)state;
	begin_all();
	for (int i = 1; i < NR_THREADS; i++)
		feed_begin_at(1000, i, A + i, BARRIER, TRACE_SPAN_WAIT);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_end_at(2000, 0, A);
	feed_begin_at(2000, 0, A, BARRIER, TRACE_SPAN_WAIT);
	for (int i = 0; i < NR_THREADS; i++)
		feed_end_at(2000, i, A + i);
	fixture = look_at(script_end());
	assert_int_equal(fixture.findings.nr, 1);
	assert_int_equal(fixture.findings.rows[0].kind, FINDING_SERIALISATION);
	assert_int_equal(fixture.findings.rows[0].time_lost_ns, 750);
	assert_int_equal(fixture.findings.rows[0].threads[0], thread_of(fixture.model, A, 0));
	done_with(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_always_the_same),
		cmocka_unit_test(test_each_in_turn),
		cmocka_unit_test(test_one_is_disturbed),
		cmocka_unit_test(test_habit_is_told),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_preempted),
		cmocka_unit_test(test_straggler_is_who_works),
		cmocka_unit_test(test_serial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
