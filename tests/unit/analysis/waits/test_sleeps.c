// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Sleeps that last longer than the thread asked for, from hand-made events: what was asked for, and how late the timer was, is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/waits/sleeps.h"
#include "events.h"

#define A 101
#define X 201 /* of another program */
#define TIMER 0xffff888000001000ull
#define OTHER_TIMER 0xffff888000002000ull
#define US 1000ull
#define MS 1000000ull
#define CLOCK 1700000000000000000ll /* the timers' clock when the trace's is 0 */
#define TIMES 20

static void begin(void)
{
	script_begin();
	feed_switch_at(0, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(0, 0, A);
}

/*
 * A, on CPU 0, starts a timer for @asked_ns, with @slack_ns of slack, and sleeps. @by, on CPU 1, expires @late_ns later; it wakes
 * @wakee. 10 us later A runs. Returns when.
 */
static uint64_t nap(uint64_t at_ns, uint64_t asked_ns, uint64_t slack_ns, uint64_t late_ns,
		    uint64_t by, int32_t wakee)
{
	int64_t due_ns = CLOCK + (int64_t)(at_ns + asked_ns);
	uint64_t end_ns = at_ns + asked_ns + late_ns;

	feed_timer_start_at(at_ns, 0, A, TIMER, due_ns, due_ns + (int64_t)slack_ns);
	feed_switch_at(at_ns + 1, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_timer_expire_at(end_ns, 1, 0, by, due_ns + (int64_t)late_ns);
	feed_waking_at(end_ns + 1, 1, 0, wakee);
	feed_timer_done_at(end_ns + 2, 1, 0, by);
	feed_wakeup_at(end_ns + 3, 0, 0, A, 0);
	feed_switch_at(end_ns + 10 * US, 0, 0, A, TRACE_OUT_RUNNABLE);
	return end_ns + 10 * US;
}

static struct model *make(uint64_t asked_ns, uint64_t slack_ns, uint64_t late_ns)
{
	uint64_t at_ns = 1 * MS;

	begin();
	for (int i = 0; i < TIMES; i++)
		at_ns = nap(at_ns, asked_ns, slack_ns, late_ns + (i == 7), TIMER, A) + 10 * US;
	return script_end();
}

/* On the way to sleep, the scheduler starts a timer of its own in the name of A, and it expires much later, or first. */
static void test_timer_of_the_scheduler(void **state)
{
	struct sleeps sleeps;
	struct model *model;

	(void)state;
	begin();
	for (uint64_t at_ns = 1 * MS; at_ns <= TIMES * MS; at_ns += 1 * MS) {
		int64_t due_ns = CLOCK + (int64_t)at_ns + 100000;

		feed_timer_start_at(at_ns, 0, A, TIMER, due_ns, due_ns);
		feed_timer_start_at(at_ns + 1, 0, A, OTHER_TIMER, due_ns + 9, due_ns + 9);
		feed_switch_at(at_ns + 2, 0, A, 0, TRACE_OUT_SLEEPING);
		feed_timer_expire_at(at_ns + 50 * US, 1, 0, OTHER_TIMER, due_ns + 9);
		feed_timer_done_at(at_ns + 51 * US, 1, 0, OTHER_TIMER);
		feed_timer_expire_at(at_ns + 130 * US, 1, 0, TIMER, due_ns + 30000);
		feed_waking_at(at_ns + 131 * US, 1, 0, A);
		feed_timer_done_at(at_ns + 132 * US, 1, 0, TIMER);
		feed_wakeup_at(at_ns + 133 * US, 0, 0, A, 0);
		feed_switch_at(at_ns + 140 * US, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	model = script_end();
	sleeps = sleeps_compute(model);
	assert_int_equal(sleeps.nr, 1);
	assert_int_equal(sleeps.threads[0].nr, TIMES);
	assert_int_equal(sleeps.threads[0].asked_ns.sum, TIMES * 100 * US);
	assert_int_equal(sleeps.threads[0].late_ns.sum, TIMES * 30 * US);
	sleeps_free(&sleeps);
	model_free(model);
}

static struct findings find(struct model *model)
{
	struct sleeps sleeps = sleeps_compute(model);
	struct findings findings = findings_new(model);
	struct trace *trace; /* only so that there are strings */

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &trace), 0);
	model->trace = trace;
	sleeps_add_findings(model, &sleeps, &findings);
	model->trace = NULL;
	trace_close(trace);
	sleeps_free(&sleeps);
	return findings;
}

static void test_sleeps(void **state)
{
	struct model *model = make(100 * US, 50 * US, 60 * US);
	struct sleeps sleeps = sleeps_compute(model);
	const struct sleeps_thread *row = sleeps.threads;

	(void)state;
	assert_int_equal(sleeps.nr, 1);
	assert_int_equal(row->thread, thread_of(model, A, 0));
	assert_int_equal(row->nr, TIMES);
	assert_int_equal(row->asked_ns.sum, TIMES * 100 * US);
	assert_int_equal(row->asked_ns.median, 100 * US);
	assert_int_equal(row->late_ns.sum, TIMES * 60 * US + 1);
	assert_int_equal(row->late_ns.median, 60 * US);
	assert_int_equal(row->late_ns.max, 60 * US + 1);
	assert_int_equal(row->slack_ns, TIMES * 50 * US);
	assert_int_equal(row->latest_from_ns, 1 * MS + 7 * 180 * US);
	assert_int_equal(row->latest_to_ns, 1 * MS + 7 * 180 * US + 160 * US + 1);
	sleeps_free(&sleeps);
	model_free(model);
}

static void test_finding(void **state)
{
	struct model *model = make(100 * US, 50 * US, 40 * US);
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].kind, FINDING_SLEEP_GRANULARITY);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, TIMES * 40 * US + 1);
	assert_int_equal(findings.rows[0].threads[0], thread_of(model, A, 0));
	assert_non_null(strstr(findings.rows[0].text,
			       "20 sleeps of 100 us (the median) last 40.0 us longer"));
	assert_non_null(
		strstr(findings.rows[0].text, "800 us in all; of that, 100 % is its timer slack"));
	findings_free(&findings);
	model_free(model);
}

static void expect_nothing(struct model *model)
{
	struct findings findings = find(model);

	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

/* 19 % of what was asked for. */
static void test_quiet(void **state)
{
	(void)state;
	expect_nothing(make(100 * US, 50 * US, 19 * US));
}

/* Another thread is woken by the timer; A by another timer: nobody knows what A asked for. */
static void test_others(void **state)
{
	uint64_t at_ns = 1 * MS;
	struct model *model;

	(void)state;
	begin();
	for (int i = 0; i < TIMES; i++) {
		at_ns = nap(at_ns, 100 * US, 50 * US, 60 * US, TIMER, X) + 10 * US;
		at_ns = nap(at_ns, 100 * US, 50 * US, 60 * US, OTHER_TIMER, A) + 10 * US;
	}
	model = script_end();
	assert_int_equal(model->timed_sleeps.nr, 0);
	model_free(model);
}

/* A is woken behind the timer's function, and by the same timer only once. */
static void test_once(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_timer_start_at(1 * MS, 0, A, TIMER, 100, 200);
	feed_switch_at(1 * MS + 1, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_timer_expire_at(2 * MS, 1, 0, TIMER, 150);
	feed_timer_done_at(2 * MS, 1, 0, TIMER);
	feed_waking_at(2 * MS + 1, 1, 0, A);
	feed_wakeup_at(2 * MS + 1, 1, 0, A, 0);
	feed_switch_at(2 * MS + 2, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(3 * MS, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_timer_expire_at(4 * MS, 1, 0, TIMER, 150);
	feed_waking_at(4 * MS, 1, 0, A);
	feed_wakeup_at(4 * MS, 1, 0, A, 0);
	feed_switch_at(5 * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	model = script_end();
	assert_int_equal(model->timed_sleeps.nr, 1);
	assert_int_equal(model->timed_sleeps.late_ns[0], 50);
	assert_int_equal(model->timed_sleeps.end_ns[0], 4 * MS);
	model_free(model);
}

/* What is lost may have been another start of the timer; and a timer cannot be early. */
static void test_lost(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_timer_start_at(1 * MS, 0, A, TIMER, 100, 200);
	feed_lost_at(2 * MS, 0, 1 * MS + 5, 3);
	feed_timer_expire_at(3 * MS, 1, 0, TIMER, 150);
	feed_waking_at(3 * MS, 1, 0, A);
	feed_timer_start_at(4 * MS, 0, A, TIMER, 100, 200);
	feed_timer_expire_at(5 * MS, 1, 0, TIMER, 99);
	feed_waking_at(5 * MS, 1, 0, A);
	model = script_end();
	assert_int_equal(model->timed_sleeps.nr, 0);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sleeps),
		cmocka_unit_test(test_finding),
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_timer_of_the_scheduler),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_lost),
	};

	return cmocka_run_group_tests_name("sleeps", tests, NULL, NULL);
}
