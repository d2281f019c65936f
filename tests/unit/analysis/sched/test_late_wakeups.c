// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * What a request and its answer lose where another program holds the CPU, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/sched/late_wakeups.h"
#include "events.h"

#define A 101
#define B 102
#define X 201
#define X2 202
#define NAME_A 21u
#define NAME_X 22u

struct fixture {
	struct model *model;
	struct task_stats *stats;
	struct barriers barriers;
	struct path_finder finder;
	struct critical_path path;
	struct programs programs;
	struct late_wakeups late;
};

static struct fixture look_at(struct model *model)
{
	struct fixture fixture = {
		.model = model,
		.stats = task_stats_compute(model),
		.barriers = barriers_compute(model),
		.programs = programs_compute(model),
	};
	uint64_t until_ns;
	uint32_t last = critical_path_last_on_cpu(model, &until_ns);

	fixture.finder = path_finder_new(model, fixture.stats, &fixture.barriers);
	fixture.path = critical_path_compute(&fixture.finder, last, 0, until_ns);
	fixture.late = late_wakeups_compute(model, &fixture.programs, &fixture.path);
	return fixture;
}

static void done_with(struct fixture *fixture)
{
	late_wakeups_free(&fixture->late);
	programs_free(&fixture->programs);
	critical_path_free(&fixture->path);
	path_finder_free(&fixture->finder);
	barriers_free(&fixture->barriers);
	task_stats_free(fixture->stats);
	model_free(fixture->model);
}

/* A, on CPU 1, and B, which sleeps, are of one program; X and X2 are @by's. */
static void begin(uint32_t by)
{
	script_begin();
	feed_switch_at(1000, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, B);
	feed_rename_at(1000, 0, B, B, NAME_A);
	feed_switch_at(1010, 0, B, X, TRACE_OUT_SLEEPING);
	feed_rename_at(1010, 0, X, X, by);
	feed_switch_at(1020, 0, X, X2, TRACE_OUT_SLEEPING);
	feed_rename_at(1020, 0, X2, X2, by);
	feed_switch_at(1030, 0, X2, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1000, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 1, A);
	feed_rename_at(1000, 1, A, A, NAME_A);
}

/* A wakes B while X runs, and then X2, for @held_ns more; B works 100 ns and wakes A. */
static uint64_t one_round(uint64_t at_ns, uint64_t held_ns)
{
	uint64_t on_ns = at_ns + held_ns;

	feed_switch_at(at_ns - 10, 0, 0, X, TRACE_OUT_RUNNABLE);
	feed_wakeup_at(at_ns, 1, A, B, 0);
	feed_switch_at(at_ns, 1, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(on_ns - 10, 0, X, X2, TRACE_OUT_SLEEPING);
	feed_switch_at(on_ns, 0, X2, B, TRACE_OUT_SLEEPING);
	feed_wakeup_at(on_ns + 100, 0, B, A, 1);
	feed_switch_at(on_ns + 100, 0, B, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(on_ns + 100, 1, 0, A, TRACE_OUT_RUNNABLE);
	return on_ns + 100;
}

static void test_request_and_answer(void **state)
{
	const struct late_wakeups_row *row;
	struct fixture fixture;
	uint64_t now_ns;

	(void)state;
	begin(NAME_X);
	now_ns = one_round(1100, 200);
	/* A sleeps for a while: 60 of the 200 may have been lost anyway. */
	feed_switch_at(now_ns + 10, 1, A, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(now_ns + 70, 1, 0, A, 1);
	feed_switch_at(now_ns + 70, 1, 0, A, TRACE_OUT_RUNNABLE);
	now_ns = one_round(now_ns + 100, 300);
	feed_switch_at(now_ns + 50, 1, A, 0, TRACE_OUT_SLEEPING);
	fixture = look_at(script_end());
	assert_int_equal(fixture.late.nr, 1);
	row = &fixture.late.rows[0];
	assert_int_equal(row->victim, fixture.programs.of_thread[thread_of(fixture.model, B, 0)]);
	assert_int_equal(row->by, fixture.programs.of_thread[thread_of(fixture.model, X, 0)]);
	assert_int_equal(row->times, 2);
	assert_int_equal(row->waited_ns, 500);
	assert_int_equal(row->lost_ns, 200 - 60 + 300);
	assert_int_equal(row->worst_ns, 290);
	assert_int_equal(row->worst_thread, thread_of(fixture.model, B, 0));
	assert_int_equal(row->worst_from_ns, 500);
	assert_int_equal(row->worst_to_ns, 800);
	done_with(&fixture);
}

/* A sleep may take up no more than came before it. */
static void test_long_sleep(void **state)
{
	struct fixture fixture;
	uint64_t now_ns;

	(void)state;
	begin(NAME_X);
	now_ns = one_round(1100, 200);
	feed_switch_at(now_ns + 10, 1, A, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(now_ns + 900, 1, 0, A, 1);
	feed_switch_at(now_ns + 900, 1, 0, A, TRACE_OUT_RUNNABLE);
	now_ns = one_round(now_ns + 950, 300);
	feed_switch_at(now_ns + 50, 1, A, 0, TRACE_OUT_SLEEPING);
	fixture = look_at(script_end());
	assert_int_equal(fixture.late.nr, 1);
	assert_int_equal(fixture.late.rows[0].waited_ns, 500);
	assert_int_equal(fixture.late.rows[0].lost_ns, 300);
	done_with(&fixture);
}

/* What the program does to itself, and what nobody waits for, is not told. */
static void test_own_and_off_the_path(void **state)
{
	struct fixture fixture;
	uint64_t now_ns;

	(void)state;
	begin(NAME_A);
	now_ns = one_round(1100, 200);
	feed_switch_at(now_ns + 50, 1, A, 0, TRACE_OUT_SLEEPING);
	fixture = look_at(script_end());
	assert_int_equal(fixture.late.nr, 0);
	done_with(&fixture);

	begin(NAME_X);
	feed_switch_at(1090, 0, 0, X, TRACE_OUT_RUNNABLE);
	feed_wakeup_at(1100, 1, A, B, 0);
	feed_switch_at(1300, 0, X, B, TRACE_OUT_SLEEPING);
	feed_switch_at(1400, 0, B, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1500, 1, A, 0, TRACE_OUT_SLEEPING);
	fixture = look_at(script_end());
	assert_int_equal(fixture.late.nr, 0);
	done_with(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_request_and_answer),
		cmocka_unit_test(test_long_sleep),
		cmocka_unit_test(test_own_and_off_the_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
