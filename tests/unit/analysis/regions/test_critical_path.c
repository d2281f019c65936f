// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c */
/*
 * Critical paths of hand-made timelines, across wakeups, barriers and births.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/regions/critical_path.h"
#include "any_events.h"
#include "events.h"

#define A 101
#define B 102
#define C 103
#define STRANGER 200
#define LOOP 11u
#define BARRIER 12u

struct fixture {
	struct model *model;
	struct task_stats *stats;
	struct barriers barriers;
	struct path_finder finder;
	struct critical_path path;
};

/* Of all, from the last thread of the session that ran. */
static struct fixture look_at(struct model *model)
{
	struct fixture fixture = {
		.model = model,
		.stats = task_stats_compute(model),
		.barriers = barriers_compute(model),
	};
	uint64_t until_ns;
	uint32_t last = critical_path_last_on_cpu(model, &until_ns);

	fixture.finder = path_finder_new(model, fixture.stats, &fixture.barriers);
	fixture.path = critical_path_compute(&fixture.finder, last, 0, until_ns);
	return fixture;
}

static void done_with(struct fixture *fixture)
{
	critical_path_free(&fixture->path);
	path_finder_free(&fixture->finder);
	barriers_free(&fixture->barriers);
	task_stats_free(fixture->stats);
	model_free(fixture->model);
}

struct expected {
	int32_t tid;
	enum path_kind kind;
	uint32_t task;
	enum path_cause cause;
	uint64_t from_ns;
	uint64_t to_ns;
};

static void check_path(const struct fixture *fixture, const struct expected *expected, size_t nr)
{
	for (size_t i = 0; i < nr && i < fixture->path.nr; i++) {
		const struct critical_path_segment *segment = &fixture->path.segments[i];

		assert_int_equal(segment->from_ns, expected[i].from_ns);
		assert_int_equal(segment->to_ns, expected[i].to_ns);
		assert_int_equal(fixture->model->threads[segment->thread].tid, expected[i].tid);
		assert_int_equal(segment->kind, expected[i].kind);
		assert_int_equal(segment->task, expected[i].task);
		assert_int_equal(segment->cause, expected[i].cause);
	}
	assert_int_equal(fixture->path.nr, nr);
}

#define CHECK_PATH(fixture, expected) \
	check_path(fixture, expected, sizeof(expected) / sizeof((expected)[0]))

static const struct critical_path_thread *thread_on(const struct fixture *fixture, int32_t tid)
{
	for (size_t i = 0; i < fixture->path.nr_threads; i++) {
		const struct critical_path_thread *thread = &fixture->path.threads[i];

		if (fixture->model->threads[thread->thread].tid == tid)
			return thread;
	}
	fail_msg("no thread %d", tid);
	return NULL;
}

/* A makes B, which works while A sleeps; B wakes A at its end. A is held up by a stranger. */
static void test_wakeups(void **state)
{
	static const struct expected expected[] = {
		{ A, PATH_RUNNING, TRACE_NO_STRING, CAUSE_START, 0, 100 },
		{ B, PATH_RUNNABLE, TRACE_NO_STRING, CAUSE_START, 100, 120 },
		{ B, PATH_RUNNING, TRACE_NO_STRING, CAUSE_ORDER, 120, 150 },
		{ B, PATH_RUNNING, LOOP, CAUSE_ORDER, 150, 500 },
		{ B, PATH_RUNNING, TRACE_NO_STRING, CAUSE_ORDER, 500, 510 },
		{ A, PATH_RUNNABLE, TRACE_NO_STRING, CAUSE_WAKEUP, 510, 600 },
		{ A, PATH_RUNNING, TRACE_NO_STRING, CAUSE_ORDER, 600, 700 },
		{ A, PATH_PREEMPTED, TRACE_NO_STRING, CAUSE_ORDER, 700, 750 },
		{ A, PATH_RUNNING, TRACE_NO_STRING, CAUSE_ORDER, 750, 800 },
	};
	struct fixture fixture;

	(void)state;
	script_begin();
	feed_session_at(1000, 0, A);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_fork_at(1100, 0, A, B, true);
	feed_wakeup_new_at(1100, 0, A, B, 1);
	feed_switch_at(1120, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_begin_at(1150, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(1200, 0, A, STRANGER, TRACE_OUT_SLEEPING);
	feed_end_at(1500, 1, B);
	feed_wakeup_at(1510, 0, STRANGER, C, 0); /* just then, another one */
	feed_wakeup_at(1510, 1, B, A, 0);
	feed_switch_at(1530, 1, B, 0, TRACE_OUT_DEAD);
	feed_switch_at(1600, 0, STRANGER, A, TRACE_OUT_SLEEPING);
	feed_switch_at(1700, 0, A, STRANGER, TRACE_OUT_RUNNABLE);
	feed_switch_at(1750, 0, STRANGER, A, TRACE_OUT_SLEEPING);
	feed_switch_at(1800, 0, A, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	CHECK_PATH(&fixture, expected);
	/* A slept from 200 to 510; B was gone from 530 on. */
	assert_int_equal(thread_on(&fixture, A)->on_path_ns, 100 + 290);
	assert_int_equal(thread_on(&fixture, A)->slack_ns, 310);
	assert_int_equal(thread_on(&fixture, B)->on_path_ns, 410);
	assert_int_equal(thread_on(&fixture, B)->slack_ns, 270);
	done_with(&fixture);
}

/* A wakeup whose waker had to be told by sched_waking, and has gone by the time it comes. */
static void test_late_wakeup(void **state)
{
	static const struct expected expected[] = {
		{ B, PATH_RUNNING, TRACE_NO_STRING, CAUSE_START, 0, 300 },
		{ A, PATH_BLOCKED, TRACE_NO_STRING, CAUSE_WAKEUP, 300, 320 },
		{ A, PATH_RUNNABLE, TRACE_NO_STRING, CAUSE_ORDER, 320, 330 },
		{ A, PATH_RUNNING, TRACE_NO_STRING, CAUSE_ORDER, 330, 400 },
	};
	struct fixture fixture;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_waking_at(1290, 1, B, A);
	feed_switch_at(1300, 1, B, 0, TRACE_OUT_DEAD);
	feed_wakeup_at(1320, 0, 0, A, 0);
	feed_switch_at(1330, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1400, 0, A, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	CHECK_PATH(&fixture, expected);
	done_with(&fixture);
}

/*
 * Two rounds: A is last to the first barrier, B to the second, at which A spins. What A does after
 * is the end.
 */
static void test_barriers(void **state)
{
	static const struct expected expected[] = {
		{ A, PATH_RUNNING, LOOP, CAUSE_START, 0, 500 },
		{ B, PATH_RUNNING, TRACE_NO_STRING, CAUSE_BARRIER, 500, 510 },
		{ B, PATH_RUNNING, LOOP, CAUSE_ORDER, 510, 900 },
		{ A, PATH_RUNNING, TRACE_NO_STRING, CAUSE_BARRIER, 900, 1000 },
	};
	struct fixture fixture;

	(void)state;
	script_begin();
	for (int i = 0; i < 3; i++) {
		feed_switch_at(1000, i, 0, A + i, TRACE_OUT_RUNNABLE);
		feed_begin_at(1000, i, A + i, LOOP, TRACE_SPAN_WORK);
	}
	for (int i = 2; i >= 0; i--) {
		feed_end_at(1500 - 100 * (uint64_t)i, i, A + i);
		feed_begin_at(1500 - 100 * (uint64_t)i, i, A + i, BARRIER, TRACE_SPAN_WAIT);
	}
	for (int i = 0; i < 3; i++) {
		feed_end_at(1510, i, A + i);
		feed_begin_at(1510, i, A + i, LOOP, TRACE_SPAN_WORK);
	}
	feed_end_at(1600, 0, A);
	feed_begin_at(1600, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1700, 2, C);
	feed_begin_at(1700, 2, C, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1900, 1, B);
	feed_begin_at(1900, 1, B, BARRIER, TRACE_SPAN_WAIT);
	for (int i = 0; i < 3; i++)
		feed_end_at(1910, i, A + i);
	feed_switch_at(1920, 1, B, 0, TRACE_OUT_DEAD);
	feed_switch_at(1920, 2, C, 0, TRACE_OUT_DEAD);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	CHECK_PATH(&fixture, expected);
	/* In barriers, off the path, and gone. */
	assert_int_equal(thread_on(&fixture, A)->slack_ns, 10 + 300);
	assert_int_equal(thread_on(&fixture, B)->slack_ns, 100 + 10 + 80);
	assert_int_equal(thread_on(&fixture, C)->slack_ns, 200 + 10 + 200 + 10 + 80);
	done_with(&fixture);
}

/* Whatever the events: segments follow each other, and nothing takes for ever. */
static void test_random(void **state)
{
	(void)state;
	srandom(13);
	for (int round = 0; round < 300; round++) {
		struct fixture fixture;
		uint64_t now_ns = 1000;

		script_begin();
		for (int i = 0; i < 400; i++) {
			now_ns += (uint64_t)random() % 3;
			feed_anything_at(now_ns, A, (unsigned int)random());
		}
		fixture = look_at(script_end());
		for (size_t i = 0; i < fixture.path.nr; i++) {
			const struct critical_path_segment *segment = &fixture.path.segments[i];

			assert_true(segment->from_ns < segment->to_ns);
			assert_int_equal(segment->to_ns, i + 1 < fixture.path.nr ?
								 segment[1].from_ns :
								 fixture.path.to_ns);
		}
		for (size_t i = 0; i < fixture.path.nr_threads; i++)
			assert_true(fixture.path.threads[i].slack_ns <= fixture.path.to_ns);
		done_with(&fixture);
	}
}

#define NR_TURNS 6000
#define WOKEN_NS 4

/* The lengths of turns: many are equal. */
static uint64_t turn_ns(int turn)
{
	return 10 + (uint64_t)turn * 7919 % 7;
}

/* How many turns are longer than @turn, or as long and earlier. */
static size_t turns_before(int turn)
{
	size_t nr = 0;

	for (int i = 0; i < NR_TURNS; i++)
		nr += turn_ns(i) > turn_ns(turn) || (turn_ns(i) == turn_ns(turn) && i < turn);
	return nr;
}

/* A and B on their CPUs wake each other in turn: the longest turns are kept, in order, and all count. */
static void test_many_segments(void **state)
{
	uint64_t at_ns = 1000, sum_ns[2] = { 0 };
	size_t nr_kept = 0;
	struct fixture fixture;

	(void)state;
	script_begin();
	feed_session_at(at_ns, 0, A);
	feed_session_at(at_ns, 1, B);
	feed_switch_at(at_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(at_ns, 1, B, 0, TRACE_OUT_SLEEPING);
	for (int turn = 0; turn < NR_TURNS; turn++) {
		int cpu = turn % 2, next = 1 - cpu;

		at_ns += turn_ns(turn);
		sum_ns[cpu] += turn_ns(turn);
		feed_wakeup_at(at_ns, cpu, A + cpu, A + next, next);
		feed_switch_at(at_ns + 1, cpu, A + cpu, 0, TRACE_OUT_SLEEPING);
		at_ns += WOKEN_NS;
		feed_switch_at(at_ns, next, 0, A + next, TRACE_OUT_RUNNABLE);
	}
	feed_switch_at(at_ns + 5, 0, A, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	/* A turn and a wakeup each; the last turn, of 5, is one more. */
	assert_int_equal(fixture.path.nr, PATH_MOST_SEGMENTS);
	assert_int_equal(fixture.path.left_out, 2 * NR_TURNS + 1 - PATH_MOST_SEGMENTS);
	at_ns = 0;
	for (int turn = 0; turn < NR_TURNS; at_ns += turn_ns(turn++) + WOKEN_NS) {
		if (turns_before(turn) >= PATH_MOST_SEGMENTS)
			continue;
		assert_int_equal(fixture.path.segments[nr_kept].from_ns, at_ns);
		assert_int_equal(fixture.path.segments[nr_kept++].to_ns, at_ns + turn_ns(turn));
	}
	assert_int_equal(nr_kept, PATH_MOST_SEGMENTS);
	/* B's turns, and A's; what each was woken for. */
	assert_int_equal(fixture.path.nr_lines, 4);
	for (size_t i = 0; i < 4; i++) {
		const struct critical_path_line *line = &fixture.path.lines[i];
		bool is_a = fixture.model->threads[line->thread].tid == A;

		assert_true(!i || line->ns <= fixture.path.lines[i - 1].ns);
		assert_int_equal(line->kind, i < 2 ? PATH_RUNNING : PATH_RUNNABLE);
		assert_int_equal(line->ns,
				 i < 2 ? sum_ns[!is_a] + (is_a ? 5 : 0) : NR_TURNS / 2 * WOKEN_NS);
	}
	assert_int_equal(thread_on(&fixture, B)->on_path_ns, sum_ns[1] + NR_TURNS / 2 * WOKEN_NS);
	done_with(&fixture);
}

#define FUTEX 21u
#define DISK 22u

/*
 *	A sleeps (futex) 100 ........................ 700, woken by B
 *	B runs, sleeps (disk) 200 ..... 400 by an interrupt, 420 runs, sleeps without a stack 500 ... 550 by an interrupt
 */
static void test_what_is_waited_for(void **state)
{
	static const struct expected expected[] = {
		{ B, PATH_RUNNING, TRACE_NO_STRING, CAUSE_START, 0, 200 },
		{ B, PATH_BLOCKED, TRACE_NO_STRING, CAUSE_ORDER, 200, 400 },
		{ B, PATH_RUNNABLE, TRACE_NO_STRING, CAUSE_ORDER, 400, 420 },
		{ B, PATH_RUNNING, TRACE_NO_STRING, CAUSE_ORDER, 420, 500 },
		{ B, PATH_BLOCKED, TRACE_NO_STRING, CAUSE_ORDER, 500, 550 },
		{ B, PATH_RUNNING, TRACE_NO_STRING, CAUSE_ORDER, 550, 700 },
		{ A, PATH_RUNNING, TRACE_NO_STRING, CAUSE_WAKEUP, 700, 800 },
	};
	uint64_t disk_ns = 0, unknown_ns = 0;
	struct fixture fixture;

	(void)state;
	script_begin();
	feed_session_at(1000, 0, A);
	feed_session_at(1000, 1, B);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_kernel_stack_at(1101, 0, A, FUTEX, 1);
	feed_switch_at(1200, 1, B, 0, TRACE_OUT_UNINTERRUPTIBLE);
	feed_kernel_stack_at(1201, 1, B, DISK, 1);
	feed_wakeup_at(1400, 1, 0, B, 1);
	feed_switch_at(1420, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1500, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1550, 1, 0, B, 1);
	feed_switch_at(1550, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_wakeup_at(1700, 1, B, A, 0);
	feed_switch_at(1700, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1750, 1, B, 0, TRACE_OUT_DEAD);
	feed_switch_at(1800, 0, A, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	CHECK_PATH(&fixture, expected);
	assert_int_equal(fixture.path.segments[1].waits_for, DISK);
	assert_int_equal(fixture.path.segments[4].waits_for, TRACE_NO_STRING);
	assert_int_equal(fixture.path.segments[5].waits_for, TRACE_NO_STRING);
	for (size_t i = 0; i < fixture.path.nr_lines; i++) {
		const struct critical_path_line *line = &fixture.path.lines[i];

		if (line->kind == PATH_BLOCKED && line->waits_for == DISK)
			disk_ns += line->ns;
		else if (line->kind == PATH_BLOCKED)
			unknown_ns += line->ns;
		assert_true(line->kind == PATH_BLOCKED || line->waits_for == TRACE_NO_STRING);
	}
	assert_int_equal(disk_ns, 200);
	assert_int_equal(unknown_ns, 50);
	done_with(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wakeups),	      cmocka_unit_test(test_late_wakeup),
		cmocka_unit_test(test_barriers),      cmocka_unit_test(test_random),
		cmocka_unit_test(test_many_segments), cmocka_unit_test(test_what_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
