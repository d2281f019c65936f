// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * What is made of lost events and of events that contradict each other: time becomes unknown, never
 * wrong, and the sums stay exact (check_model() sees to that after each script).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "events.h"
#include "model_check.h"
#include "model/account.h"

#define A 101
#define B 102
#define C 103

static void assert_state_ns(const struct model *model, int32_t tid, enum thread_state state,
			    uint64_t expected_ns)
{
	struct thread_account account;

	model_account(model, thread_of(model, tid, 0), 0, model->duration_ns, &account);
	assert_int_equal(account.state_ns[state], expected_ns);
}

static void test_runner_is_unknown_in_a_gap(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_lost_at(1500, 0, 1100, 12);
	/* The first event behind the gap tells who runs: it is A again. */
	feed_mark_at(1500, 0, A, 1);
	feed_switch_at(1600, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNING, 100 + 100);
	assert_state_ns(model, A, STATE_UNKNOWN, 400);
	assert_int_equal(model->cpus[0].gaps.nr, 1);
	assert_int_equal(model->cpus[0].gaps.start_ns[0], 100);
	assert_int_equal(model->cpus[0].gaps.end_ns[0], 500);
	assert_int_equal(model->cpus[0].gaps.nr_events[0], 12);
	assert_int_equal(model->cpus[0].slices.nr, 2);
	assert_int_equal(model->cpus[0].slices.end_state[0], STATE_UNKNOWN);
	model_free(model);
}

/* Whoever was thought to run there: the event says who woke whom. */
static void test_waker_is_not_the_runner(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 2, B, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1200, 0, C, B, 0);
	model = script_end();

	assert_int_equal(model->wakeups.nr, 1);
	assert_int_equal(model->wakeups.waker[0], thread_of(model, C, 0));
	assert_true(model->cpus[0].seen);
	assert_false(model->cpus[1].seen);
	assert_true(model->cpus[2].seen);
	model_free(model);
}

static void test_runner_turns_up_elsewhere(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_mark_at(1100, 0, A, 1);
	/* Seen on CPU 1 before CPU 0's gap shows, at its end. */
	feed_switch_at(1300, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_lost_at(1500, 0, 1100, 0);
	feed_switch_at(1500, 0, B, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1600, 1, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNING, 100 + 300);
	assert_state_ns(model, A, STATE_UNKNOWN, 200);
	/* It moved, but how often is not known. */
	assert_int_equal(model->migrations.nr, 0);
	model_free(model);
}

static void test_migration_across_a_gap_is_not_counted(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_lost_at(1200, 0, 1100, 0);
	feed_switch_at(1200, 0, B, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1300, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1400, 1, A, 0, TRACE_OUT_RUNNABLE);
	/* From here on it is known again where it is. */
	feed_switch_at(1500, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1600, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();

	assert_int_equal(model->migrations.nr, 1);
	assert_int_equal(model->migrations.from_cpu[0], 1);
	assert_int_equal(model->migrations.to_cpu[0], 0);
	model_free(model);
}

/* B waited in CPU 0's queue: it may have run in the gap. C slept: taken to have slept on. */
static void test_who_waited_in_the_queue(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, C, TRACE_OUT_RUNNABLE);
	feed_switch_at(1010, 0, C, B, TRACE_OUT_SLEEPING);
	feed_switch_at(1020, 0, B, A, TRACE_OUT_RUNNABLE);
	feed_lost_at(1200, 0, 1100, 5);
	feed_switch_at(1250, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1300, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, B, STATE_RUNNING, 10 + 50);
	assert_state_ns(model, B, STATE_PREEMPTED, 80);
	assert_state_ns(model, B, STATE_UNKNOWN, 10 + 150);
	assert_state_ns(model, C, STATE_SLEEPING, 290);
	model_free(model);
}

/* A wait that lasts to the trace's end, over a gap in its CPU, is settled there. */
static void test_waits_on_over_a_gap(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1020, 0, B, A, TRACE_OUT_RUNNABLE);
	feed_lost_at(1200, 0, 1100, 5);
	feed_mark_at(1300, 0, A, 1);
	model = script_end();

	assert_state_ns(model, B, STATE_PREEMPTED, 80);
	assert_state_ns(model, B, STATE_UNKNOWN, 200);
	model_free(model);
}

/* A wakeup of somebody who waited over a gap: it must have run and slept in there. */
static void test_wakeup_behind_a_gap(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1020, 0, B, 0, TRACE_OUT_RUNNABLE);
	feed_lost_at(1200, 0, 1100, 5);
	feed_wakeup_at(1250, 0, 0, B, 0);
	feed_switch_at(1300, 0, 0, B, TRACE_OUT_RUNNABLE);
	model = script_end();

	assert_state_ns(model, B, STATE_PREEMPTED, 80);
	assert_state_ns(model, B, STATE_UNKNOWN, 150);
	assert_state_ns(model, B, STATE_RUNNABLE, 50);
	assert_int_equal(model->wakeups.nr, 1);
	model_free(model);
}

/* A trace that begins with a loss: overwritten before it was read. */
static void test_gap_at_the_start(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_lost_at(1500, 0, 1000, 0);
	feed_switch_at(1500, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1600, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_int_equal(model->start_ns, 1000);
	assert_int_equal(model->duration_ns, 600);
	assert_int_equal(model->cpus[0].gaps.start_ns[0], 0);
	assert_state_ns(model, B, STATE_RUNNING, 100);
	model_free(model);
}

/* Nobody said that events were lost, but somebody else leaves the CPU than had entered it. */
static void test_prev_is_not_who_ran(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_mark_at(1100, 0, A, 1);
	feed_switch_at(1300, 0, B, C, TRACE_OUT_SLEEPING);
	feed_switch_at(1400, 0, C, 0, TRACE_OUT_SLEEPING);
	/* And here the idle task does. */
	feed_switch_at(1500, 0, 0, C, TRACE_OUT_SLEEPING);
	feed_switch_at(1600, 0, 0, B, TRACE_OUT_SLEEPING);
	feed_switch_at(1700, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNING, 100);
	assert_state_ns(model, A, STATE_UNKNOWN, 600);
	assert_state_ns(model, B, STATE_UNKNOWN, 300);
	assert_state_ns(model, B, STATE_RUNNING, 100);
	assert_state_ns(model, C, STATE_RUNNING, 100);
	model_free(model);
}

/* It waits, and then leaves a CPU that nobody saw it enter: since when it ran is not known. */
static void test_entry_was_not_seen(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_mark_at(1200, 0, B, 1);
	feed_switch_at(1300, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNING, 100);
	assert_state_ns(model, A, STATE_PREEMPTED, 100);
	assert_state_ns(model, A, STATE_UNKNOWN, 100);
	assert_state_ns(model, B, STATE_RUNNING, 100);
	model_free(model);
}

/* The same behind a gap: a sleeper that turns out to run there was woken in the gap. */
static void test_sleeper_runs_behind_a_gap(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_mark_at(1150, 0, 0, 1);
	feed_lost_at(1400, 0, 1150, 3);
	feed_mark_at(1400, 0, A, 1);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, A, STATE_SLEEPING, 50);
	assert_state_ns(model, A, STATE_UNKNOWN, 250);
	assert_state_ns(model, A, STATE_RUNNING, 100 + 100);
	model_free(model);
}

/* It enters one CPU while it is on another: clocks that differ, or a loss nobody told of. */
static void test_on_two_cpus(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1300, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1310, 0, A, B, TRACE_OUT_SLEEPING);
	feed_switch_at(1400, 1, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1500, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, B, STATE_RUNNING, 190);
	model_free(model);
}

/* Any events in any order: the model keeps its promises, and nothing crashes. */
static void test_nonsense(void **state)
{
	(void)state;
	srandom(20260801);
	for (int round = 0; round < 300; round++) {
		uint64_t now = 1000;

		script_begin();
		for (int i = 0; i < 200; i++) {
			int cpu = (int)(random() % 3);
			int32_t tid = (int32_t)(random() % 5), other = (int32_t)(random() % 5);

			now += (uint64_t)(random() % 4);
			switch (random() % 12) {
			case 0:
				feed_wakeup_at(now, cpu, tid, other, (int)(random() % 4) - 1);
				break;
			case 1:
				feed_wakeup_new_at(now, cpu, tid, other, (int)(random() % 4));
				break;
			case 2:
				feed_migrate_at(now, cpu, tid, other, (int)(random() % 4));
				break;
			case 3:
				feed_fork_at(now, cpu, tid, other, random() % 2);
				break;
			case 4:
				feed_exec_at(now, cpu, tid, other, 1);
				break;
			case 5:
				feed_exit_at(now, cpu, tid);
				break;
			case 6:
				feed_begin_at(now, cpu, tid, 1, TRACE_SPAN_WORK);
				break;
			case 7:
				feed_end_at(now, cpu, tid);
				break;
			case 8:
				feed_lost_at(now, cpu, now - (uint64_t)(random() % 50), 1);
				break;
			default:
				feed_switch_at(now, cpu, tid, other,
					       (enum trace_switch_reason)(random() % 5));
				break;
			}
		}
		model_free(script_end());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runner_is_unknown_in_a_gap),
		cmocka_unit_test(test_waker_is_not_the_runner),
		cmocka_unit_test(test_runner_turns_up_elsewhere),
		cmocka_unit_test(test_migration_across_a_gap_is_not_counted),
		cmocka_unit_test(test_who_waited_in_the_queue),
		cmocka_unit_test(test_waits_on_over_a_gap),
		cmocka_unit_test(test_wakeup_behind_a_gap),
		cmocka_unit_test(test_gap_at_the_start),
		cmocka_unit_test(test_prev_is_not_who_ran),
		cmocka_unit_test(test_entry_was_not_seen),
		cmocka_unit_test(test_sleeper_runs_behind_a_gap),
		cmocka_unit_test(test_on_two_cpus),
		cmocka_unit_test(test_nonsense),
	};

	return RUN_IN_WINDOWS(tests);
}
