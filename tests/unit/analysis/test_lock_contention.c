// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/named_events.c */
/*
 * Waits for locks and their holders, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sched/lock_contention.h"
#include "named_events.h"

#define SUM "critical sum"
#define QUEUE "mutex queue.c:7"
#define OTHER_LINE "mutex queue.c:9"

static int32_t tid_of(const struct model *model, uint32_t thread)
{
	return thread == MODEL_NO_THREAD ? 0 : model->threads[thread].tid - NAMED_FIRST_TID;
}

/*
 * Thread 0 holds the section from 2000 to 5000, in "solve"; thread 1 waits 2500-5000, and holds it to 5500; thread 2
 * waits 3000-5500.
 */
static void feed_critical_section(void)
{
	feed_named_at(1000, 0, TRACE_SPAN_BEGIN, "solve", 0);
	feed_named_work_at(2000, 5000, 0, SUM, 0);
	feed_named_at(6000, 0, TRACE_SPAN_END, NULL, 0);
	feed_named_wait_at(2500, 5000, 1, SUM, 0);
	feed_named_work_at(5000, 5500, 1, SUM, 0);
	feed_named_wait_at(3000, 5500, 2, SUM, 0);
	feed_named_work_at(5500, 5600, 2, SUM, 0);
}

static void test_holder_by_spans(void **state)
{
	struct lock_contention contention;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	feed_critical_section();
	model = named_end(10000);
	contention = lock_contention_compute(model);
	assert_int_equal(contention.nr, 1);
	assert_string_equal(trace_string(named_trace(), contention.locks[0].name), SUM);
	assert_int_equal(contention.locks[0].waits, 2);
	assert_int_equal(contention.locks[0].waiters, 2);
	assert_int_equal(contention.locks[0].wait_ns, 2500 + 2500);
	assert_int_equal(contention.locks[0].attributed_ns, 5000);
	assert_int_equal(tid_of(model, contention.locks[0].holder), 0);
	assert_int_equal(contention.locks[0].held_ns, 2500 + 2000);
	assert_string_equal(trace_string(named_trace(), contention.locks[0].holder_task), "solve");
	findings = findings_new(model);
	lock_contention_add_findings(model, &contention, &findings);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 3000);
	assert_non_null(strstr(findings.rows[0].text, "holds it in 90 % of that time, in solve"));
	findings_free(&findings);
	lock_contention_free(&contention);
	model_free(model);
}

/* Without spans of holding, who wakes the waiting thread has released the lock. */
static void test_holder_by_wakeup(void **state)
{
	struct lock_contention contention;
	struct model *model;

	(void)state;
	named_begin();
	feed_named_at(1000, 0, TRACE_SPAN_BEGIN, "serve", 0);
	feed_named_at(2000, 1, TRACE_SPAN_BEGIN, "serve", 0);
	feed_named_wait_begin_at(2000, 1, QUEUE, 0x1000);
	feed_named_sleep_at(2100, 1);
	feed_named_wakeup_at(3990, 0, 1);
	feed_named_run_at(3995, 1);
	feed_named_at(4000, 1, TRACE_SPAN_END, NULL, 0);
	/* It spins: nobody wakes it. */
	feed_named_wait_at(5000, 5300, 1, QUEUE, 0x1000);
	model = named_end(10000);
	contention = lock_contention_compute(model);
	assert_int_equal(contention.nr, 1);
	assert_int_equal(contention.locks[0].waits, 2);
	assert_int_equal(contention.locks[0].wait_ns, 2300);
	assert_int_equal(contention.locks[0].attributed_ns, 1990);
	assert_int_equal(tid_of(model, contention.locks[0].holder), 0);
	assert_string_equal(trace_string(named_trace(), contention.locks[0].holder_task), "serve");
	lock_contention_free(&contention);
	model_free(model);
}

/* One lock may be locked in several lines; one line may lock several locks. */
static void test_locks_by_value(void **state)
{
	struct lock_contention contention;
	struct model *model;

	(void)state;
	named_begin();
	feed_named_wait_at(2000, 3000, 1, QUEUE, 0x1000);
	feed_named_wait_at(3000, 5000, 2, OTHER_LINE, 0x1000);
	feed_named_wait_at(2000, 2100, 3, QUEUE, 0x2000);
	feed_named_wait_at(5000, 5010, 4, OTHER_LINE, 0x1000);
	model = named_end(10000);
	contention = lock_contention_compute(model);
	assert_int_equal(contention.nr, 2);
	assert_int_equal(contention.locks[0].wait_ns, 3010);
	assert_int_equal(contention.locks[0].contended_ns, 3010);
	assert_int_equal(contention.locks[0].waiters, 3);
	assert_string_equal(trace_string(named_trace(), contention.locks[0].name), OTHER_LINE);
	assert_int_equal(tid_of(model, contention.locks[0].longest_waiter), 2);
	assert_int_equal(contention.locks[0].holder, MODEL_NO_THREAD);
	assert_int_equal(contention.locks[1].wait_ns, 100);
	lock_contention_free(&contention);
	model_free(model);
}

/* Other waits are no locks, whatever their names begin with. */
static void test_other_waits(void **state)
{
	struct lock_contention contention;
	struct model *model;

	(void)state;
	named_begin();
	feed_named_wait_at(2000, 3000, 1, "barrier", 0);
	feed_named_wait_at(2000, 3000, 2, "locksmith", 0);
	feed_named_wait_at(4000, 5000, 2, "mut", 0);
	feed_named_wait_at(6000, 7000, 2, " lock", 0);
	feed_named_work_at(2000, 3000, 3, QUEUE, 0);
	model = named_end(10000);
	contention = lock_contention_compute(model);
	assert_int_equal(contention.nr, 0);
	lock_contention_free(&contention);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holder_by_spans),
		cmocka_unit_test(test_holder_by_wakeup),
		cmocka_unit_test(test_locks_by_value),
		cmocka_unit_test(test_other_waits),
	};

	return cmocka_run_group_tests_name("lock_contention", tests, named_open_trace,
					   named_close_trace);
}
