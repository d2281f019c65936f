// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Threads whose cgroup has used up its quota, from hand-made events: how often and for how long is known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sched/throttling.h"
#include "events.h"

#define A 101
#define B 102 /* a thread of A's process */
#define X 201 /* of another program */
#define MS 1000000ull
#define PERIODS 10
#define PERIOD (100 * MS)
#define QUOTA (20 * MS)

static void feed_leave(uint64_t time_ns, int cpu, int32_t tid)
{
	feed_switch_at(time_ns, cpu, tid, 0, TRACE_OUT_RUNNABLE);
}

static void feed_enter(uint64_t time_ns, int cpu, int32_t tid)
{
	feed_switch_at(time_ns, cpu, 0, tid, TRACE_OUT_RUNNABLE);
}

static void begin(uint8_t priority)
{
	script_begin();
	feed_switch_with(0, 0, 0, A, TRACE_OUT_RUNNABLE, priority);
	feed_session_at(0, 0, A);
	feed_mark_of_process_at(0, 0, A, A);
}

/* A runs on CPU 0 for @quota_ns of each period; CPU 0 then has nobody. */
static struct model *make_with_quota(uint64_t quota_ns, uint8_t priority)
{
	begin(priority);
	for (uint64_t i = 0; i < PERIODS; i++) {
		feed_leave(i * PERIOD + quota_ns, 0, A);
		feed_switch_with((i + 1) * PERIOD, 0, 0, A, TRACE_OUT_RUNNABLE, priority);
	}
	feed_exit_at(PERIODS * PERIOD + MS, 0, A);
	feed_switch_at(PERIODS * PERIOD + MS, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

static struct model *make_throttled(uint8_t priority)
{
	return make_with_quota(QUOTA, priority);
}

static struct findings find(struct model *model)
{
	struct throttling throttling = throttling_compute(model);
	struct findings findings = findings_new(model);
	struct trace *trace; /* only so that there are strings */

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &trace), 0);
	model->trace = trace;
	throttling_add_findings(model, &throttling, &findings);
	model->trace = NULL;
	trace_close(trace);
	throttling_free(&throttling);
	return findings;
}

static void test_throttled(void **state)
{
	struct model *model = make_throttled(TRACE_PRIORITY_UNKNOWN);
	struct throttling throttling = throttling_compute(model);

	(void)state;
	assert_int_equal(throttling.nr, 1);
	assert_int_equal(throttling.threads[0].thread, thread_of(model, A, 0));
	assert_int_equal(throttling.threads[0].times, PERIODS);
	assert_int_equal(throttling.threads[0].ns, PERIODS * (PERIOD - QUOTA));
	assert_int_equal(throttling.threads[0].longest_ns, PERIOD - QUOTA);
	assert_int_equal(throttling.threads[0].longest_from_ns, QUOTA);
	assert_int_equal(throttling.threads[0].longest_to_ns, PERIOD);
	assert_int_equal(throttling.ns, PERIODS * (PERIOD - QUOTA));
	assert_int_equal(throttling.standstill_ns, throttling.ns);
	throttling_free(&throttling);
	model_free(model);
}

static void test_finding(void **state)
{
	struct model *model = make_throttled(TRACE_PRIORITY_OFFSET + 120);
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].kind, FINDING_THROTTLED);
	assert_int_equal(findings.rows[0].confidence, CONFIDENCE_HIGH);
	assert_int_equal(findings.rows[0].time_lost_ns, PERIODS * (PERIOD - QUOTA));
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, PERIODS * (PERIOD - QUOTA));
	assert_int_equal(findings.rows[0].threads[0], thread_of(model, A, 0));
	assert_int_equal(findings.rows[0].cpus[0], 0);
	assert_int_equal(findings.rows[0].from_ns, QUOTA);
	assert_non_null(strstr(findings.rows[0].text, "for 800 ms, 1 thread could run"));
	assert_non_null(strstr(findings.rows[0].text, "10 times"));
	findings_free(&findings);
	model_free(model);
}

/* The kernel limits real-time threads in another way. */
static void test_real_time(void **state)
{
	struct model *model = make_throttled(TRACE_PRIORITY_OFFSET + 99);
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

/*
 * CPU 0 has X for half of the time in which A is throttled: that half counts as preempted. B runs on CPU 1 for 30 ms of each
 * period, is woken there while A is throttled, and waits for 10 ms.
 */
static struct model *make_two(bool is_throttled)
{
	begin(TRACE_PRIORITY_UNKNOWN);
	feed_fork_at(0, 0, A, B, true);
	feed_enter(0, 1, B);
	for (uint64_t i = 0; i < PERIODS; i++) {
		uint64_t at = i * PERIOD;

		if (is_throttled)
			feed_switch_at(at + 20 * MS, 0, A, X, TRACE_OUT_RUNNABLE);
		feed_switch_at(at + 30 * MS, 1, B, 0, TRACE_OUT_SLEEPING);
		if (is_throttled)
			feed_switch_at(at + 60 * MS, 0, X, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(at + 90 * MS, 1, 0, B, 1);
		if (is_throttled)
			feed_enter(at + 100 * MS, 0, A);
		feed_enter(at + 100 * MS, 1, B);
	}
	return script_end();
}

static void test_others(void **state)
{
	struct model *model = make_two(true);
	struct throttling throttling = throttling_compute(model);
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(throttling.nr, 2);
	assert_int_equal(throttling.threads[0].thread, thread_of(model, A, 0));
	assert_int_equal(throttling.threads[0].ns, PERIODS * 40 * MS);
	assert_int_equal(throttling.threads[1].thread, thread_of(model, B, 0));
	assert_int_equal(throttling.threads[1].ns, PERIODS * 10 * MS);
	assert_int_equal(throttling.ns, PERIODS * 40 * MS);
	assert_int_equal(throttling.standstill_ns, PERIODS * 40 * MS);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].nr_threads, 2);
	findings_free(&findings);
	throttling_free(&throttling);
	model_free(model);
}

/* As above, but A is never throttled: that CPU 1 is slow to take B tells nothing. */
static void test_slow_wakeups(void **state)
{
	struct model *model = make_two(false);
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

/* Another thread of the session runs on CPU 1 for 50 of the 80 ms: the session stands still for 30. */
static void test_standstill(void **state)
{
	struct throttling throttling;
	struct findings findings;
	struct model *model;

	(void)state;
	begin(TRACE_PRIORITY_UNKNOWN);
	feed_fork_at(0, 0, A, B, true);
	for (uint64_t i = 0; i < PERIODS; i++) {
		feed_leave(i * PERIOD + QUOTA, 0, A);
		feed_enter(i * PERIOD + QUOTA, 1, B);
		feed_switch_at(i * PERIOD + 70 * MS, 1, B, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at((i + 1) * PERIOD, 1, 0, B, 1);
		feed_enter((i + 1) * PERIOD, 0, A);
	}
	model = script_end();
	throttling = throttling_compute(model);
	findings = find(model);
	assert_int_equal(throttling.ns, PERIODS * 80 * MS);
	assert_int_equal(throttling.standstill_ns, PERIODS * 30 * MS);
	assert_int_equal(findings.rows[0].time_lost_ns, PERIODS * 30 * MS);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, PERIODS * 80 * MS);
	findings_free(&findings);
	throttling_free(&throttling);
	model_free(model);
}

/* 1 ms without it is enough. */
static void test_least(void **state)
{
	struct model *model = make_with_quota(PERIOD - MS, TRACE_PRIORITY_UNKNOWN);
	struct throttling throttling = throttling_compute(model);

	(void)state;
	assert_int_equal(throttling.nr, 1);
	assert_int_equal(throttling.threads[0].times, PERIODS);
	assert_int_equal(throttling.ns, PERIODS * MS);
	throttling_free(&throttling);
	model_free(model);
}

/* Preempted by others all the time; moved to an idle CPU that is slow to notice; switched out for less than 1 ms. */
static void test_quiet(void **state)
{
	struct findings findings;
	struct model *model;

	(void)state;
	begin(TRACE_PRIORITY_UNKNOWN);
	feed_switch_at(0, 1, X, 0, TRACE_OUT_SLEEPING);
	for (uint64_t i = 0; i < PERIODS; i++) {
		uint64_t at = i * PERIOD;

		feed_switch_at(at + 10 * MS, 0, A, X, TRACE_OUT_RUNNABLE);
		feed_switch_at(at + 30 * MS, 0, X, A, TRACE_OUT_SLEEPING);
		feed_leave(at + 40 * MS, 0, A);
		feed_migrate_at(at + 40 * MS, 0, A, A, 1);
		feed_enter(at + 50 * MS, 1, A);
		feed_switch_at(at + 60 * MS, 1, A, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(at + 60 * MS, 0, 0, A, 0);
		feed_enter(at + 60 * MS, 0, A);
		feed_leave(at + 70 * MS, 0, A);
		feed_enter(at + 71 * MS - 1, 0, A);
		/* Pushed off by X; that it is moved is not in the trace. */
		feed_switch_at(at + 80 * MS, 0, A, X, TRACE_OUT_RUNNABLE);
		feed_switch_at(at + 80 * MS + 1000, 0, X, 0, TRACE_OUT_SLEEPING);
		feed_enter(at + 85 * MS, 1, A);
		feed_switch_at(at + 90 * MS, 1, A, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(at + 90 * MS, 0, 0, A, 0);
		feed_enter(at + 90 * MS, 0, A);
	}
	model = script_end();
	findings = find(model);
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

/* Events of CPU 0 are lost from 40 to 50 ms in each period: A was throttled up to there. */
static void test_lost(void **state)
{
	struct throttling throttling;
	struct model *model;

	(void)state;
	begin(TRACE_PRIORITY_UNKNOWN);
	for (uint64_t i = 0; i < PERIODS; i++) {
		feed_leave(i * PERIOD + QUOTA, 0, A);
		feed_lost_at(i * PERIOD + 50 * MS, 0, i * PERIOD + 40 * MS, 3);
		feed_enter((i + 1) * PERIOD, 0, A);
	}
	model = script_end();
	throttling = throttling_compute(model);
	assert_int_equal(throttling.ns, PERIODS * 20 * MS);
	throttling_free(&throttling);
	model_free(model);
}

/* X leaves CPU 0, where it was never seen to come: what seemed idle was not. */
static void test_missing(void **state)
{
	struct findings findings;
	struct model *model;

	(void)state;
	begin(TRACE_PRIORITY_UNKNOWN);
	for (uint64_t i = 0; i < PERIODS; i++) {
		feed_leave(i * PERIOD + QUOTA, 0, A);
		feed_switch_at((i + 1) * PERIOD, 0, X, A, TRACE_OUT_SLEEPING);
	}
	model = script_end();
	findings = find(model);
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_throttled),  cmocka_unit_test(test_least),
		cmocka_unit_test(test_finding),	   cmocka_unit_test(test_real_time),
		cmocka_unit_test(test_others),	   cmocka_unit_test(test_slow_wakeups),
		cmocka_unit_test(test_standstill), cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_lost),	   cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests_name("throttling", tests, NULL, NULL);
}
