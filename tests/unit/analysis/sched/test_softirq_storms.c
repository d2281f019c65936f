// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Storms of softirqs, and what they cost threads of the session, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sched/softirq_storms.h"
#include "events.h"

#define A 101
#define K 301 /* not of the session: serves softirqs */
#define NET 2
#define TIMER 3
#define ETH 1
#define US 1000ull
#define MS 1000000ull

/* @nr softirqs of @length_ns, @pause_ns apart, on CPU 0, while @tid runs. */
static void feed_softirqs(uint64_t at_ns, int32_t tid, uint32_t name, unsigned int nr,
			  uint64_t length_ns, uint64_t pause_ns)
{
	for (unsigned int i = 0; i < nr; i++, at_ns += length_ns + pause_ns) {
		feed_interrupt_begin_at(at_ns, 0, tid, TRACE_SOFTIRQ, name, true);
		feed_interrupt_end_at(at_ns + length_ns, 0, tid, TRACE_SOFTIRQ, name);
	}
}

static void begin(void)
{
	script_begin();
	feed_switch_at(0, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(0, 0, A);
}

static struct model *end(void)
{
	feed_exit_at(100 * MS, 0, A);
	feed_switch_at(100 * MS, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

/* 300 times 30 us in A, then 20 times 960 us in K, which has taken the CPU from A; then TIMER for 2 ms of idle time. */
static struct model *make(void)
{
	begin();
	feed_softirqs(10 * MS, A, NET, 300, 30 * US, 10 * US);
	feed_switch_at(50 * MS, 0, A, K, TRACE_OUT_RUNNABLE);
	feed_softirqs(50 * MS, K, NET, 20, 960 * US, 40 * US);
	feed_switch_at(70 * MS, 0, K, A, TRACE_OUT_SLEEPING);
	feed_switch_at(80 * MS, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_softirqs(81 * MS, 0, TIMER, 1, 2 * MS, 0);
	feed_wakeup_at(90 * MS, 0, 0, A, 0);
	feed_switch_at(90 * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	return end();
}

static struct findings find(struct model *model)
{
	struct softirq_storms storms = softirq_storms_compute(model);
	struct findings findings = findings_new(model);
	struct trace *trace; /* only so that there are strings */

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &trace), 0);
	model->trace = trace;
	softirq_storms_add_findings(model, &storms, &findings);
	model->trace = NULL;
	trace_close(trace);
	softirq_storms_free(&storms);
	return findings;
}

static void test_storms(void **state)
{
	struct model *model = make();
	struct softirq_storms storms = softirq_storms_compute(model);
	const struct softirq_storms_cpu *row = storms.cpus;

	(void)state;
	assert_true(storms.has_softirqs);
	assert_int_equal(storms.nr, 1);
	assert_int_equal(row->cpu, 0);
	assert_int_equal(row->storms, 3);
	assert_int_equal(row->softirqs, 321);
	assert_int_equal(row->ns, 9 * MS + 19200 * US + 2 * MS);
	assert_int_equal(row->worst_name, NET);
	assert_int_equal(row->worst_name_ns, 9 * MS + 19200 * US);
	assert_int_equal(row->stolen_ns, 9 * MS);
	assert_int_equal(row->waited_ns, 19200 * US);
	assert_int_equal(row->worst_thread, thread_of(model, A, 0));
	assert_int_equal(row->longest_ns, 20 * MS - 40 * US);
	assert_int_equal(row->longest_from_ns, 50 * MS);
	assert_int_equal(row->longest_to_ns, 70 * MS - 40 * US);
	assert_int_equal(storms.lost_ns, 28200 * US);
	softirq_storms_free(&storms);
	model_free(model);
}

static void test_finding(void **state)
{
	struct model *model = make();
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].kind, FINDING_SOFTIRQ_STORM);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 28200 * US);
	assert_int_equal(findings.rows[0].threads[0], thread_of(model, A, 0));
	assert_int_equal(findings.rows[0].cpus[0], 0);
	assert_int_equal(findings.rows[0].from_ns, 50 * MS);
	assert_non_null(strstr(findings.rows[0].text,
			       "for 30.2 ms in 3 storms (the longest 20.0 ms), 93 %"));
	assert_non_null(strstr(findings.rows[0].text,
			       "for 9.00 ms, and kept them waiting for the CPU for 19.2 ms"));
	findings_free(&findings);
	model_free(model);
}

/*
 * Less than 1 ms; pauses of more than 50 us; less than half of the time; handlers of a device; K's own time, while A sleeps.
 */
static void test_quiet(void **state)
{
	struct softirq_storms storms;
	struct findings findings;
	struct model *model;

	(void)state;
	begin();
	feed_softirqs(10 * MS, A, NET, 1, 999 * US, 0);
	feed_softirqs(20 * MS, A, NET, 20, 400 * US, 50 * US + 1);
	feed_softirqs(40 * MS, A, NET, 100, 49 * US, 50 * US);
	for (uint64_t i = 0; i < 10; i++) {
		feed_interrupt_begin_at(55 * MS + i * 500 * US, 0, A, TRACE_HARDIRQ, ETH, false);
		feed_interrupt_end_at(55 * MS + i * 500 * US + 490 * US, 0, A, TRACE_HARDIRQ, ETH);
	}
	feed_switch_at(70 * MS, 0, A, K, TRACE_OUT_SLEEPING);
	feed_softirqs(70 * MS, K, NET, 10, 960 * US, 40 * US);
	feed_switch_at(80 * MS, 0, K, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(80 * MS, 0, 0, A, 0);
	feed_switch_at(80 * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	model = end();
	storms = softirq_storms_compute(model);
	assert_int_equal(storms.nr, 1);
	assert_int_equal(storms.cpus[0].storms, 1);
	assert_int_equal(storms.cpus[0].ns, 9600 * US);
	assert_int_equal(storms.lost_ns, 0);
	assert_int_equal(storms.cpus[0].worst_thread, MODEL_NO_THREAD);
	findings = find(model);
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	softirq_storms_free(&storms);
	model_free(model);
}

static void test_nothing(void **state)
{
	struct softirq_storms storms;
	struct model *model;

	(void)state;
	begin();
	model = end();
	storms = softirq_storms_compute(model);
	assert_false(storms.has_softirqs);
	assert_int_equal(storms.nr, 0);
	softirq_storms_free(&storms);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_storms),
		cmocka_unit_test(test_finding),
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("softirq storms", tests, NULL, NULL);
}
