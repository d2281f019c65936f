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

#include "analysis/waits/lock_contention_findings.h"
#include "named_events.h"

#define SUM "critical sum"
#define QUEUE "mutex queue.c:7"
#define OTHER_LINE "mutex queue.c:9"
#define NOBODY MODEL_NO_THREAD

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

static void expect_holding(const struct lock_holding *holding, enum thread_state state,
			   const char *cause, uint64_t ns)
{
	assert_string_equal(trace_string(named_trace(), holding->lock), SUM);
	assert_int_equal(holding->state, state);
	assert_string_equal(holding->cause == TRACE_NO_STRING ?
				    "" :
				    trace_string(named_trace(), holding->cause),
			    cause);
	assert_int_equal(holding->ns, ns);
}

/*
 * Thread 0 holds the section from 2000 to 5000; it waits for a disk from 2200 to 4000, and for its CPU to 4200. Thread 1
 * waits from 2500 on, thread 2 from 3000 on.
 */
static void test_what_holders_do(void **state)
{
	struct lock_contention contention;
	const struct lock_holding *rows;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	feed_named_run_at(1000, 0);
	feed_named_at(2000, 0, TRACE_SPAN_BEGIN, SUM, 0);
	feed_named_sleep_for_at(2200, 0, "disk (read)");
	feed_named_wait_begin_at(2500, 1, SUM, 0);
	feed_named_wait_begin_at(3000, 2, SUM, 0);
	feed_named_wakeup_at(4000, 3, 0);
	feed_named_run_at(4200, 0);
	feed_named_at(5000, 0, TRACE_SPAN_END, NULL, 0);
	feed_named_at(5000, 1, TRACE_SPAN_END, NULL, 0);
	feed_named_at(5000, 2, TRACE_SPAN_END, NULL, 0);
	model = named_end(10000);
	contention = lock_contention_compute(model);
	rows = contention.holders.rows;
	assert_int_equal(contention.locks[0].attributed_ns, 2500 + 2000);
	assert_int_equal(contention.holders.nr, 3);
	expect_holding(&rows[0], STATE_SLEEPING, "disk (read)", 1500 + 1000);
	assert_int_equal(rows[0].longest_ns, 1500);
	assert_int_equal(rows[0].longest_from_ns, 2500 - NAMED_START_NS);
	assert_int_equal(rows[0].longest_to_ns, 4000 - NAMED_START_NS);
	assert_int_equal(tid_of(model, rows[0].longest_holder), 0);
	expect_holding(&rows[1], STATE_RUNNING, "", 800 + 800);
	expect_holding(&rows[2], STATE_RUNNABLE, "", 200 + 200);
	findings = findings_new(model);
	lock_contention_add_findings(model, &contention, &findings);
	assert_int_equal(findings.nr, 1);
	assert_non_null(
		strstr(findings.rows[0].text,
		       "; its holder is blocked itself in 56 % of that time, on disk (read);"));
	findings_free(&findings);
	lock_contention_free(&contention);
	model_free(model);
}

/* Two locks of one name are held at the same time: of each moment of the wait, there is one holder. */
static void test_parts(void **state)
{
	const struct lock_contention_part *parts;
	struct lock_contention contention;
	struct model *model;

	(void)state;
	named_begin();
	feed_named_work_at(2000, 5000, 0, SUM, 0);
	feed_named_work_at(3000, 4500, 2, SUM, 0);
	feed_named_work_at(4000, 6000, 3, SUM, 0);
	feed_named_wait_at(2500, 5500, 1, SUM, 0);
	model = named_end(10000);
	contention = lock_contention_compute(model);
	parts = contention.parts;
	assert_int_equal(contention.nr_parts, 2);
	assert_int_equal(tid_of(model, parts[0].waiter), 1);
	assert_int_equal(tid_of(model, parts[0].holder), 0);
	assert_int_equal(parts[0].from_ns, 2500 - NAMED_START_NS);
	assert_int_equal(parts[0].to_ns, 5000 - NAMED_START_NS);
	assert_int_equal(tid_of(model, parts[1].holder), 3);
	assert_int_equal(parts[1].from_ns, 5000 - NAMED_START_NS);
	assert_int_equal(parts[1].to_ns, 5500 - NAMED_START_NS);
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

static const struct lock_contention_pair *pair_of(const struct model *model,
						  const struct lock_contention *contention,
						  int32_t waiter, int32_t holder)
{
	for (size_t i = 0; i < contention->nr_pairs; i++) {
		const struct lock_contention_pair *pair = &contention->pairs[i];

		if (tid_of(model, pair->waiter) == waiter && tid_of(model, pair->holder) == holder)
			return pair;
	}
	fail_msg("no pair of %d and %d", waiter, holder);
	return NULL;
}

/*
 *	0 has the lock, and wakes 1 at 2990
 *	1 waits 2000 ........ 3000, wakes 2 at 3990
 *	2 waits    2200 .................... 4000, then it has the lock; nobody is woken
 *	3 waits          2950 ...................... 4500: it spins, and gets the lock behind 2
 *	1 waits for another lock 5000 ... 6000, and is woken by 2 at 5900
 */
static void test_wakings_in_a_row(void **state)
{
	struct lock_contention contention;
	struct model *model;

	(void)state;
	named_begin();
	feed_named_at(1000, 0, TRACE_SPAN_BEGIN, "first", 0);
	feed_named_wakeup_at(1500, 0, 3); /* not of its wait */
	feed_named_wait_begin_at(2000, 1, QUEUE, 0x1000);
	feed_named_sleep_at(2010, 1);
	feed_named_wait_begin_at(2200, 2, QUEUE, 0x1000);
	feed_named_sleep_at(2210, 2);
	feed_named_wait_begin_at(2950, 3, QUEUE, 0x1000);
	feed_named_wakeup_at(2990, 0, 1);
	feed_named_run_at(2995, 1);
	feed_named_at(3000, 1, TRACE_SPAN_END, NULL, 0);
	feed_named_wakeup_at(3990, 1, 2);
	feed_named_run_at(3995, 2);
	feed_named_at(4000, 2, TRACE_SPAN_END, NULL, 0);
	feed_named_at(4500, 3, TRACE_SPAN_END, NULL, 0);
	feed_named_wait_begin_at(5000, 1, OTHER_LINE, 0x2000);
	feed_named_sleep_at(5010, 1);
	feed_named_wakeup_at(5900, 2, 1);
	feed_named_run_at(5950, 1);
	feed_named_at(6000, 1, TRACE_SPAN_END, NULL, 0);
	model = named_end(10000);
	contention = lock_contention_compute(model);
	assert_int_equal(contention.nr, 2);
	assert_int_equal(contention.nr_pairs, 7);
	assert_int_equal(pair_of(model, &contention, 1, 2)->ns, 900);
	assert_int_equal(contention.locks[1].attributed_ns, 900);
	assert_int_equal(contention.locks[1].held_ns, 900);
	assert_int_equal(tid_of(model, contention.locks[1].holder), 2);
	assert_int_equal(pair_of(model, &contention, 1, 0)->ns, 990);
	assert_int_equal(pair_of(model, &contention, 2, 0)->ns, 790);
	assert_int_equal(pair_of(model, &contention, 2, 1)->ns, 1000);
	assert_int_equal(pair_of(model, &contention, 2, 1)->times, 1);
	assert_int_equal(pair_of(model, &contention, 2, 1)->longest_from_ns, 2990 - NAMED_START_NS);
	assert_int_equal(pair_of(model, &contention, 2, 1)->longest_to_ns, 3990 - NAMED_START_NS);
	assert_int_equal(pair_of(model, &contention, 3, 0)->ns, 40);
	assert_int_equal(pair_of(model, &contention, 3, 1)->ns, 1000);
	assert_int_equal(pair_of(model, &contention, 3, 2)->ns, 510);
	assert_int_equal(contention.locks[0].attributed_ns, 990 + 790 + 1000 + 40 + 1000 + 510);
	assert_int_equal(tid_of(model, contention.locks[0].holder), 1);
	assert_int_equal(contention.locks[0].held_ns, 2000);
	assert_int_equal(contention.locks[0].longest_hold_ns, 1000);
	assert_int_equal(contention.locks[0].convoys.nr, 1);
	lock_contention_free(&contention);
	model_free(model);
}

/* All threads of @nr run from the start on. */
static void begin_running(int nr)
{
	named_begin();
	for (int i = 0; i < nr; i++)
		feed_named_at(1000, i, TRACE_SPAN_BEGIN, "work", 0);
}

/*
 *	0 holds the futex, and wakes 1 at 3000
 *	1 sleeps 2000 ...... 3000; wakes 2 at 3600
 *	2 sleeps      2500 ............. 3600; when it began, nobody could be told
 *	4 sleeps              3200 . 3400, and is woken by a signal
 *	3 sleeps on another futex that nobody holds; 5 on one that hands on priorities
 */
static void test_futexes(void **state)
{
	struct lock_contention contention;
	struct model *model;

	(void)state;
	begin_running(6);
	feed_named_futex_at(2000, 1, "futex", 0x1000, 0);
	feed_named_futex_at(2000, 3, "futex", 0x2000, -1);
	feed_named_futex_at(2000, 5, "futex (priority inheritance)", 0x3000, -1);
	feed_named_wakeup_at(2300, 2, 5);
	feed_named_run_at(2310, 5);
	feed_named_futex_at(2500, 2, "futex", 0x1000, -1);
	feed_named_wakeup_at(3000, 0, 1);
	feed_named_run_at(3010, 1);
	feed_named_futex_at(3200, 4, "futex", 0x1000, 1);
	feed_named_interrupt_wakeup_at(3400, 4);
	feed_named_run_at(3410, 4);
	feed_named_wakeup_at(3600, 1, 2);
	feed_named_run_at(3610, 2);
	feed_named_wakeup_at(4000, 0, 3);
	feed_named_run_at(4010, 3);
	model = named_end(10000);
	contention = lock_contention_compute(model);
	assert_int_equal(contention.nr, 2);
	assert_string_equal(trace_string(named_trace(), contention.locks[0].name), "futex 0x1000");
	assert_int_equal(contention.locks[0].waits, 3);
	assert_int_equal(contention.locks[0].waiters, 3);
	assert_int_equal(contention.locks[0].wait_ns, 1000 + 1100 + 200);
	assert_int_equal(contention.locks[0].contended_ns, 1600);
	assert_int_equal(contention.locks[0].longest_ns, 1100);
	assert_int_equal(contention.locks[0].attributed_ns, 2300);
	assert_int_equal(tid_of(model, contention.locks[0].holder), 0);
	assert_int_equal(contention.locks[0].held_ns, 1000 + 500);
	assert_int_equal(contention.locks[0].longest_hold_ns, 1000);
	assert_string_equal(trace_string(named_trace(), contention.locks[0].holder_task), "work");
	assert_int_equal(pair_of(model, &contention, 1, 0)->ns, 1000);
	assert_int_equal(pair_of(model, &contention, 2, 0)->ns, 500);
	assert_int_equal(pair_of(model, &contention, 2, 1)->ns, 400 + 200);
	assert_int_equal(pair_of(model, &contention, 4, 1)->ns, 200);
	assert_string_equal(trace_string(named_trace(), contention.locks[1].name), "futex 0x3000");
	assert_int_equal(contention.locks[1].wait_ns, 300);
	assert_int_equal(tid_of(model, contention.locks[1].holder), 2);
	lock_contention_free(&contention);
	model_free(model);
}

/* Threads queue for a futex: a convoy. */
static void test_futex_convoy(void **state)
{
	struct lock_contention contention;
	struct model *model;

	(void)state;
	begin_running(4);
	for (int i = 0; i < 3; i++)
		feed_named_futex_at(2000 + 10 * (uint64_t)i, i, "futex", 0x1000, 3);
	for (int i = 0; i < 12; i++) {
		uint64_t time_ns = 2100 + 100 * (uint64_t)i;

		feed_named_wakeup_at(time_ns, i ? (i - 1) % 3 : 3, i % 3);
		feed_named_run_at(time_ns, i % 3);
		if (i)
			feed_named_futex_at(time_ns + 10, (i - 1) % 3, "futex", 0x1000, i % 3);
	}
	model = named_end(4000);
	contention = lock_contention_compute(model);
	assert_int_equal(contention.nr, 1);
	assert_int_equal(contention.locks[0].convoys.nr, 1);
	assert_int_equal(contention.locks[0].convoys.longest_threads, 3);
	/* The last two never get it. */
	assert_int_equal(contention.locks[0].waits, 3 + 11);
	assert_int_equal(contention.locks[0].convoys.longest_waits, 12);
	lock_contention_free(&contention);
	model_free(model);
}

/*
 * The sleep of 1 is in a span for that lock: it is counted once. That of 2, behind a condition, and the second one of 1
 * are in none.
 */
static void test_told_twice(void **state)
{
	struct lock_contention contention;
	struct model *model;

	(void)state;
	begin_running(3);
	feed_named_wait_begin_at(1800, 2, "condition queue.c:20", 0x1040);
	feed_named_futex_at(1900, 2, "futex", 0x1000, -1);
	feed_named_wait_begin_at(2000, 1, QUEUE, 0x1000);
	feed_named_futex_at(2010, 1, "futex", 0x1000, 0);
	feed_named_wakeup_at(2990, 0, 1);
	feed_named_run_at(2995, 1);
	feed_named_at(3000, 1, TRACE_SPAN_END, NULL, 0);
	feed_named_wakeup_at(3500, 1, 2);
	feed_named_run_at(3505, 2);
	feed_named_at(3510, 2, TRACE_SPAN_END, NULL, 0);
	feed_named_futex_at(4000, 1, "futex", 0x1000, -1);
	feed_named_wakeup_at(4100, 0, 1);
	feed_named_run_at(4105, 1);
	model = named_end(10000);
	contention = lock_contention_compute(model);
	assert_int_equal(contention.nr, 1);
	assert_int_equal(contention.locks[0].waits, 3);
	assert_int_equal(contention.locks[0].wait_ns, 1000 + 1600 + 100);
	assert_int_equal(contention.locks[0].longest_ns, 1600);
	/* Though another wait is the longest. */
	assert_string_equal(trace_string(named_trace(), contention.locks[0].name), QUEUE);
	lock_contention_free(&contention);
	model_free(model);
}

/* Thread i % @nr_threads waits for the i-th time, for @wait_ns; the i-th gets the lock at 2000 + 100 * i. */
static void feed_turns(int nr_turns, int nr_threads, uint64_t wait_ns)
{
	for (int i = 0; i < nr_turns; i++) {
		uint64_t end_ns = 2000 + 100 * (uint64_t)i;

		feed_named_wait_at(end_ns - wait_ns, end_ns, i % nr_threads, QUEUE, 0x1000);
	}
}

/* The kind of the only finding; the model is of turns as above, and ends at @end_ns. */
static enum finding_kind kind_found(int nr_turns, int nr_threads, uint64_t wait_ns, uint64_t end_ns,
				    struct lock_convoys *convoys)
{
	struct lock_contention contention;
	struct findings findings;
	enum finding_kind kind;
	struct model *model;

	named_begin();
	feed_turns(nr_turns, nr_threads, wait_ns);
	model = named_end(end_ns);
	contention = lock_contention_compute(model);
	findings = findings_new(model);
	lock_contention_add_findings(model, &contention, &findings);
	assert_int_equal(contention.nr, 1);
	assert_int_equal(findings.nr, 1);
	kind = findings.rows[0].kind;
	*convoys = contention.locks[0].convoys;
	findings_free(&findings);
	lock_contention_free(&contention);
	model_free(model);
	return kind;
}

static void test_convoy(void **state)
{
	struct lock_convoys convoys;

	(void)state;
	/* Three threads, four times each: two are always in the queue. */
	assert_int_equal(kind_found(12, 3, 180, 4000, &convoys), FINDING_LOCK_CONVOY);
	assert_int_equal(convoys.nr, 1);
	assert_int_equal(convoys.waits, 12);
	assert_int_equal(convoys.longest_waits, 12);
	assert_int_equal(convoys.longest_threads, 3);
	assert_int_equal(convoys.ns, 1100);
	assert_int_equal(convoys.persistent_ns, 1100);
	assert_int_equal(convoys.longest_from_ns, 2000 - 180 - NAMED_START_NS);
	assert_int_equal(convoys.longest_to_ns, 3100 - NAMED_START_NS);
	/* As long, in a session of which that is little. */
	assert_int_equal(kind_found(12, 3, 180, 40000, &convoys), FINDING_LOCK_CONTENTION);
	assert_int_equal(convoys.persistent_ns, 1100);
	/* Each once: the queue gets empty. */
	assert_int_equal(kind_found(5, 5, 180, 4000, &convoys), FINDING_LOCK_CONTENTION);
	assert_int_equal(convoys.nr, 1);
	assert_int_equal(convoys.persistent_ns, 0);
	/* Two threads only. */
	assert_int_equal(kind_found(12, 2, 120, 4000, &convoys), FINDING_LOCK_CONTENTION);
	assert_int_equal(convoys.nr, 0);
	/* They come when the one before has the lock already. */
	assert_int_equal(kind_found(12, 3, 100, 4000, &convoys), FINDING_LOCK_CONTENTION);
	assert_int_equal(convoys.nr, 0);
}

/* Each overtakes the one that came before it: the last one to come gets the lock first. */
static void test_no_convoy_without_order(void **state)
{
	const struct lock_wait waits[] = {
		{ 0, NOBODY, 50, 100 },
		{ 1, NOBODY, 40, 110 },
		{ 2, NOBODY, 30, 120 },
		{ 3, NOBODY, 20, 130 },
	};
	const struct lock_wait in_turn[] = {
		{ 0, NOBODY, 50, 100 },
		{ 1, NOBODY, 60, 110 },
		{ 2, NOBODY, 70, 120 },
		{ 3, NOBODY, 10, 130 },
	};
	struct lock_convoys convoys = lock_convoys_find(waits, 4);

	(void)state;
	assert_int_equal(convoys.nr, 0);
	convoys = lock_convoys_find(in_turn, 4);
	assert_int_equal(convoys.nr, 1);
	assert_int_equal(convoys.waits, 3);
	assert_int_equal(convoys.ns, 20);
	assert_int_equal(lock_convoys_find(NULL, 0).nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holder_by_spans),
		cmocka_unit_test(test_holder_by_wakeup),
		cmocka_unit_test(test_locks_by_value),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_what_holders_do),
		cmocka_unit_test(test_other_waits),
		cmocka_unit_test(test_wakings_in_a_row),
		cmocka_unit_test(test_futexes),
		cmocka_unit_test(test_futex_convoy),
		cmocka_unit_test(test_told_twice),
		cmocka_unit_test(test_convoy),
		cmocka_unit_test(test_no_convoy_without_order),
	};

	return cmocka_run_group_tests_name("lock_contention", tests, named_open_trace,
					   named_close_trace);
}
