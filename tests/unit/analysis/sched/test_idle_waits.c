// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Threads that wait for a busy CPU while another one is idle, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/sched/idle_waits.h"
#include "events.h"

#define A 101
#define X 201
#define Y 301

/* A and X change places on CPU 0; so far A ran on CPUs 0 and 1, and X and Y on 0, 1, 2. */
static void begin(void)
{
	script_begin();
	feed_switch_at(1000, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 1, A);
	feed_switch_at(1000, 2, 0, Y, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 1, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1100, 2, Y, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1200, 0, 0, X, TRACE_OUT_RUNNABLE);
	feed_wakeup_at(1300, 0, X, A, 0);
	feed_switch_at(1400, 0, X, A, TRACE_OUT_RUNNABLE);
}

static struct idle_waits finish(struct model **model)
{
	*model = script_end();
	return idle_waits_compute(*model);
}

static void test_idle_for_a_part(void **state)
{
	struct idle_waits idle_waits;
	struct model *model;

	(void)state;
	begin();
	/* A waited from 1300 to 1400, and does so from 2000 to 2700; Y is on CPU 1 from 2100 to 2500. */
	feed_switch_at(2000, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(2100, 1, 0, Y, TRACE_OUT_RUNNABLE);
	feed_switch_at(2500, 1, Y, 0, TRACE_OUT_SLEEPING);
	/* The CPU of the queue is idle from 2600 on: that is wakeup latency, if anything. */
	feed_switch_at(2600, 0, X, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(2700, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(3000, 0, A, 0, TRACE_OUT_DEAD);
	idle_waits = finish(&model);
	/* X, which waits from 1400 to 2000, is not of the session. */
	assert_int_equal(idle_waits.nr, 1);
	assert_int_equal(idle_waits.threads[0].thread, thread_of(model, A, 0));
	assert_int_equal(idle_waits.threads[0].waits, 2);
	/* 100 of the first; of the second 300 on CPU 1, less 100 on CPU 0. CPU 2 it has never used. */
	assert_int_equal(idle_waits.threads[0].ns, 300);
	assert_int_equal(idle_waits.threads[0].longest_ns, 200);
	assert_int_equal(idle_waits.threads[0].longest_from_ns, 1000);
	assert_int_equal(idle_waits.threads[0].longest_to_ns, 1700);
	assert_int_equal(idle_waits.threads[0].longest_cpu, 0);
	assert_int_equal(idle_waits.threads[0].longest_idle_cpu, 1);
	idle_waits_free(&idle_waits);
	model_free(model);
}

static void test_all_busy(void **state)
{
	struct idle_waits idle_waits;
	struct model *model;

	(void)state;
	begin();
	feed_switch_at(1500, 1, 0, Y, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(2700, 0, X, A, TRACE_OUT_SLEEPING);
	feed_switch_at(2900, 1, Y, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(3000, 0, A, 0, TRACE_OUT_DEAD);
	idle_waits = finish(&model);
	assert_int_equal(idle_waits.nr, 1);
	assert_int_equal(idle_waits.threads[0].waits, 1); /* from 1300 to 1400 */
	assert_int_equal(idle_waits.threads[0].ns, 100);
	idle_waits_free(&idle_waits);
	model_free(model);
}

/* The CPU of the queue is idle for 600, the other one for 100: late wakeup, not a bad queue. */
static void test_own_cpu_idle_for_longer(void **state)
{
	struct idle_waits idle_waits;
	struct model *model;

	(void)state;
	begin();
	feed_switch_at(2000, 1, 0, Y, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(2100, 0, X, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(2600, 1, Y, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(2700, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_switch_at(3000, 0, A, 0, TRACE_OUT_DEAD);
	idle_waits = finish(&model);
	assert_int_equal(idle_waits.nr, 1);
	assert_int_equal(idle_waits.threads[0].waits, 1); /* from 1300 to 1400 */
	assert_int_equal(idle_waits.threads[0].ns, 100);
	idle_waits_free(&idle_waits);
	model_free(model);
}

/* So many slices that they are added up from checkpoints: Y is on CPU 1 for 3 of every 10. */
static void test_long_wait(void **state)
{
	struct idle_waits idle_waits;
	struct model *model;
	uint64_t at_ns = 2000;

	(void)state;
	begin();
	feed_switch_at(1995, 0, A, X, TRACE_OUT_RUNNABLE);
	for (int i = 0; i < 1000; i++, at_ns += 10) {
		feed_switch_at(at_ns, 1, 0, Y, TRACE_OUT_RUNNABLE);
		feed_switch_at(at_ns + 3, 1, Y, 0, TRACE_OUT_SLEEPING);
		/* A, in between, twice for 2 at the end of a wait. */
		if (i == 200 || i == 900) {
			feed_switch_at(at_ns + 6, 0, X, A, TRACE_OUT_RUNNABLE);
			feed_switch_at(at_ns + 8, 0, A, X, TRACE_OUT_RUNNABLE);
		}
	}
	feed_switch_at(at_ns, 0, X, A, TRACE_OUT_SLEEPING);
	feed_switch_at(at_ns + 100, 0, A, 0, TRACE_OUT_DEAD);
	idle_waits = finish(&model);
	assert_int_equal(idle_waits.nr, 1);
	/* 100 from 1300 on; then, all but A's own 4, 7 of every 10, and 5 before the first. */
	assert_int_equal(idle_waits.threads[0].waits, 4);
	assert_int_equal(idle_waits.threads[0].ns, 100 + 5 + 7 * 1000 - 4);
	/* From 200 times 10 + 8 to 900 times 10 + 6, of which the first has 2 left. */
	assert_int_equal(idle_waits.threads[0].longest_ns, 2 + 7 * 699 + 3);
	assert_int_equal(idle_waits.threads[0].longest_from_ns, 1000 + 2008);
	assert_int_equal(idle_waits.threads[0].longest_idle_cpu, 1);
	idle_waits_free(&idle_waits);
	model_free(model);
}

static void test_nobody_knows_of_lost_events(void **state)
{
	struct idle_waits idle_waits;
	struct model *model;

	(void)state;
	begin();
	feed_switch_at(2000, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(2700, 0, X, A, TRACE_OUT_SLEEPING);
	feed_lost_at(2650, 1, 2300, 5);
	feed_switch_at(3000, 0, A, 0, TRACE_OUT_DEAD);
	idle_waits = finish(&model);
	assert_int_equal(idle_waits.nr, 1);
	assert_int_equal(idle_waits.threads[0].ns, 100);
	idle_waits_free(&idle_waits);
	model_free(model);
}

/* A waits so often for 100 ns beside an idle CPU, in a session that lasts so long. */
static void check_finding(int times, uint64_t session_ns, bool wanted)
{
	struct idle_waits idle_waits;
	struct findings findings;
	struct model *model;
	struct trace *trace; /* only so that there are strings */

	begin(); /* once */
	for (int i = 1; i < times; i++) {
		feed_switch_at((uint64_t)(1400 + 200 * i), 0, A, X, TRACE_OUT_RUNNABLE);
		feed_switch_at((uint64_t)(1500 + 200 * i), 0, X, A, TRACE_OUT_SLEEPING);
	}
	feed_switch_at(1000 + session_ns, 0, A, 0, TRACE_OUT_DEAD);
	idle_waits = finish(&model);
	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &trace), 0);
	model->trace = trace;
	assert_int_equal(idle_waits.threads[0].waits, times);
	assert_int_equal(idle_waits.threads[0].ns, 100 * times);
	findings = findings_new(model);
	idle_waits_add_findings(model, &idle_waits, &findings);
	assert_int_equal(findings.nr, wanted);
	if (wanted) {
		assert_int_equal(findings.rows[0].kind, FINDING_IDLE_WAITS);
		assert_int_equal(findings.rows[0].time_lost_ns, 100 * times);
		assert_int_equal(findings.rows[0].threads[0], thread_of(model, A, 0));
		assert_int_equal(findings.rows[0].cpus[0], 0);
		assert_int_equal(findings.rows[0].cpus[1], 1);
	}
	findings_free(&findings);
	idle_waits_free(&idle_waits);
	model_free(model);
	trace_close(trace);
}

static void test_often_enough(void **state)
{
	(void)state;
	check_finding(9, 10000, false);
	check_finding(10, 10000, true);
}

static void test_long_enough(void **state)
{
	(void)state;
	check_finding(10, 20000, true);
	check_finding(10, 20100, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_for_a_part),
		cmocka_unit_test(test_all_busy),
		cmocka_unit_test(test_own_cpu_idle_for_longer),
		cmocka_unit_test(test_long_wait),
		cmocka_unit_test(test_nobody_knows_of_lost_events),
		cmocka_unit_test(test_often_enough),
		cmocka_unit_test(test_long_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
