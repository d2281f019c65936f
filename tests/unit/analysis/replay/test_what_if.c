// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/unit/analysis/replay/replays.c */
/*
 * Replays, and what they predict, of made-up events: how long everything takes is known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/replay/replay_locks.h"
#include "model/builder_state.h"
#include "replays.h"

static void test_balance(void **state)
{
	(void)state;
	replay_expect(make_unbalanced(), &(struct what_if_question){ .changes.balanced = WORK },
		      NR_ROUNDS * 3 * MS, NR_ROUNDS * 2 * MS);
}

/*
 * At the only barrier, B comes after 1 ms, of which it works or waits in a lock, on its CPU; A comes after 3 ms. Where A
 * began what it did is not known. 1 ms later both end.
 */
static struct model *make_one_meeting(bool b_waits)
{
	begin_two();
	feed_begin_at(BEGIN_NS, 1, B, WORK, TRACE_SPAN_WORK);
	if (b_waits)
		feed_begin_at(BEGIN_NS, 1, B, replay_lock, TRACE_SPAN_WAIT);
	if (b_waits)
		feed_end_at(BEGIN_NS + 1 * MS, 1, B);
	feed_end_at(BEGIN_NS + 1 * MS, 1, B);
	feed_begin_at(BEGIN_NS + 1 * MS, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_switch_at(BEGIN_NS + 1 * MS, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_begin_at(BEGIN_NS + 3 * MS, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_wakeup_at(BEGIN_NS + 3 * MS, 0, A, B, 1);
	feed_end_at(BEGIN_NS + 3 * MS, 0, A);
	feed_switch_at(BEGIN_NS + 3 * MS, 1, 0, B, TRACE_OUT_SLEEPING);
	feed_end_at(BEGIN_NS + 3 * MS, 1, B);
	feed_switch_at(BEGIN_NS + 4 * MS, 1, B, 0, TRACE_OUT_DEAD);
	return replay_end(BEGIN_NS + 4 * MS);
}

/* A gets half of the work, which is all of B's, or nothing. */
static void test_balance_of_one(void **state)
{
	const struct what_if_question question = { .changes.balanced = WORK };

	(void)state;
	replay_expect(make_one_meeting(false), &question, 4 * MS, 4 * MS + MS / 2);
	replay_expect(make_one_meeting(true), &question, 4 * MS, 4 * MS);
}

/* A's 1.5 ms are behind B's 0.5 then. */
static void test_faster(void **state)
{
	const struct what_if_question question = { .nr_faster = 1, .faster = { { WORK, 2 } } };

	(void)state;
	replay_expect(make_unbalanced(), &question, NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS / 2);
}

/* All of the length is A's work. */
static void test_gain(void **state)
{
	struct model *model = make_unbalanced();
	struct what_if what_if = replay_ask(model, &(struct what_if_question){ 0 });

	(void)state;
	assert_int_equal(what_if.nr_tasks, 1);
	assert_int_equal(what_if.tasks[0].name, WORK);
	assert_int_equal(what_if.tasks[0].work_ns, NR_ROUNDS * 4 * MS);
	assert_true(fabs(what_if.tasks[0].gain - 1) < 0.01);
	what_if_free(&what_if);
	model_free(model);
}

static void test_cpus(void **state)
{
	(void)state;
	for (int nr_cpus = 1; nr_cpus <= 4; nr_cpus++)
		replay_expect(make_crowded(NR_ROUNDS, 3 * MS),
			      &(struct what_if_question){ .nr_cpus = nr_cpus },
			      2 * NR_ROUNDS * 3 * MS, (nr_cpus == 1 ? 2 : 1) * NR_ROUNDS * 3 * MS);
}

/* Two slices each, of three years. The replay's are usual ones, but not so many that it goes on for ever. */
static void test_years(void **state)
{
	const uint64_t slice_ns = 100000000000 * MS;

	(void)state;
	replay_expect(make_crowded(2, slice_ns), &(struct what_if_question){ .nr_cpus = 2 },
		      4 * slice_ns, 2 * slice_ns);
}

/*
 * A works for 30 ms, B for 3 ms, sleeps for 20, and works for 3 again: if B had to wait for all of A, that would be 56 ms. On
 * two CPUs A alone determines the end.
 */
static void test_slices(void **state)
{
	(void)state;
	script_begin();
	feed_switch_at(BEGIN_NS, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, A);
	feed_fork_at(BEGIN_NS, 0, A, B, true);
	feed_wakeup_new_at(BEGIN_NS, 0, A, B, 0);
	feed_switch_at(BEGIN_NS + 3 * MS, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(BEGIN_NS + 6 * MS, 0, B, A, TRACE_OUT_SLEEPING);
	feed_wakeup_at(BEGIN_NS + 26 * MS, 1, 0, B, 0);
	feed_switch_at(BEGIN_NS + 26 * MS, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(BEGIN_NS + 29 * MS, 0, B, A, TRACE_OUT_DEAD);
	replay_expect(replay_end(BEGIN_NS + 36 * MS), &(struct what_if_question){ .nr_cpus = 2 },
		      36 * MS, 30 * MS);
}

/* Two CPUs become one: all work is behind each other. */
static void test_fewer_cpus(void **state)
{
	(void)state;
	replay_expect(make_unbalanced(), &(struct what_if_question){ .nr_cpus = 1 },
		      NR_ROUNDS * 3 * MS, NR_ROUNDS * 4 * MS);
}

static void test_without_a_stranger(void **state)
{
	(void)state;
	replay_expect(make_with_stranger(), &(struct what_if_question){ .changes.without = OTHER },
		      (2 * NR_ROUNDS + 1) * MS, (NR_ROUNDS + 1) * MS);
}

/* A and C, of one program, share CPU 0 in turns of 3 ms. B, another one of the session, has CPU 1 for @b_ns. */
static struct model *make_two_programs(uint64_t b_ns)
{
	uint64_t now_ns = BEGIN_NS;

	script_begin();
	feed_switch_at(BEGIN_NS, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, A);
	feed_rename_at(BEGIN_NS, 0, A, A, OWN);
	feed_fork_at(BEGIN_NS, 0, A, B, false);
	feed_rename_at(BEGIN_NS, 0, A, B, OTHER);
	feed_wakeup_new_at(BEGIN_NS, 0, A, B, 1);
	feed_fork_at(BEGIN_NS, 0, A, C, true);
	feed_wakeup_new_at(BEGIN_NS, 0, A, C, 0);
	feed_switch_at(BEGIN_NS, 1, 0, B, TRACE_OUT_RUNNABLE);
	for (int turn = 1; turn <= 2 * NR_ROUNDS; turn++) {
		int next = turn % 2 ? C : A;

		if (now_ns < BEGIN_NS + b_ns && BEGIN_NS + b_ns <= now_ns + 3 * MS)
			feed_switch_at(BEGIN_NS + b_ns, 1, B, 0, TRACE_OUT_DEAD);
		now_ns += 3 * MS;
		feed_switch_at(now_ns, 0, turn % 2 ? A : C, turn < 2 * NR_ROUNDS ? next : 0,
			       turn < 2 * NR_ROUNDS - 1 ? TRACE_OUT_RUNNABLE : TRACE_OUT_DEAD);
	}
	return script_end();
}

#define TURNS_NS (2 * NR_ROUNDS * 3 * MS)

/* Its CPU is free for the other's threads, though none of them ran there. */
static void test_without_a_program(void **state)
{
	(void)state;
	replay_expect(make_two_programs(TURNS_NS),
		      &(struct what_if_question){ .changes.without = OTHER }, TURNS_NS,
		      TURNS_NS / 2);
}

/*
 * If B ends earlier, C would go to its CPU, were it not bound. By the length alone, it is if that would be 3 ms earlier; 1 ms is
 * nothing. Either way nothing tells for sure.
 */
static void test_other_placements(void **state)
{
	const struct {
		uint64_t earlier_ns;
		enum replay_placement placement;
		uint64_t predicted_ns;
	} cases[] = {
		{ 0, PLACE_ANYWHERE, TURNS_NS / 2 },
		{ 4 * MS, PLACE_ANYWHERE, TURNS_NS / 2 * 60 / 59 },
		{ 6 * MS, PLACE_BY_PROGRAM, TURNS_NS },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct model *model = make_two_programs(TURNS_NS - cases[i].earlier_ns);
		struct what_if what_if =
			replay_ask(model, &(struct what_if_question){ .changes.without = OTHER });

		assert_int_equal(what_if.placement, cases[i].placement);
		assert_int_equal(what_if.predicted.ns, cases[i].predicted_ns);
		assert_in_range(what_if.predicted.least_ns, TURNS_NS / 2 - MS, TURNS_NS / 2);
		assert_int_equal(what_if.predicted.most_ns, TURNS_NS);
		what_if_free(&what_if);
		model_free(model);
	}
}

/*
 * A and C have a CPU each, which they exchange; then B has CPU 1 until 9 ms before the end, and they share CPU 0. Only as bound as
 * that, C would not go to CPU 1 when B ends. But without B it would have stayed there.
 */
static void test_placed_by_a_program(void **state)
{
	const uint64_t from_ns = BEGIN_NS + 6 * MS;
	struct what_if what_if;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(BEGIN_NS, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, A);
	feed_rename_at(BEGIN_NS, 0, A, A, OWN);
	feed_fork_at(BEGIN_NS, 0, A, C, true);
	feed_wakeup_new_at(BEGIN_NS, 0, A, C, 1);
	feed_switch_at(BEGIN_NS, 1, 0, C, TRACE_OUT_RUNNABLE);
	feed_switch_at(BEGIN_NS + 3 * MS, 0, A, 0, TRACE_OUT_RUNNABLE);
	feed_switch_at(BEGIN_NS + 3 * MS, 1, C, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(BEGIN_NS + 3 * MS, 0, 0, C, TRACE_OUT_RUNNABLE);
	feed_fork_at(from_ns, 1, A, B, false);
	feed_rename_at(from_ns, 1, A, B, OTHER);
	feed_wakeup_new_at(from_ns, 1, A, B, 1);
	feed_switch_at(from_ns, 1, A, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(from_ns, 0, C, A, TRACE_OUT_RUNNABLE);
	for (int turn = 1; turn <= 2 * NR_ROUNDS; turn++) {
		uint64_t now_ns = from_ns + (uint64_t)turn * 3 * MS;

		if (now_ns == from_ns + TURNS_NS - 9 * MS)
			feed_switch_at(now_ns, 1, B, 0, TRACE_OUT_DEAD);
		feed_switch_at(now_ns, 0, turn % 2 ? A : C,
			       turn == 2 * NR_ROUNDS ? 0 :
			       turn % 2		     ? C :
						       A,
			       turn < 2 * NR_ROUNDS - 1 ? TRACE_OUT_RUNNABLE : TRACE_OUT_DEAD);
	}
	model = script_end();
	what_if = replay_ask(model, &(struct what_if_question){ .changes.without = OTHER });
	assert_int_equal(what_if.placement, PLACE_AS_RECORDED);
	assert_int_equal(what_if.predicted.ns, (6 * MS + TURNS_NS) / 2);
	assert_in_range(what_if.predicted.most_ns, (6 * MS + TURNS_NS) / 2, 40 * MS);
	what_if_free(&what_if);
	model_free(model);
}

static bool is_lock_in(struct model *model, uint32_t name)
{
	struct blocked_waits waits = blocked_waits_find(model);
	struct barriers barriers = barriers_compute(model);
	struct replay_locks locks = replay_locks_find(model, &waits, &barriers,
						      &(struct lock_spans){ 0 });
	bool is = replay_locks_of(&locks, model, thread_of(model, A, 0), name) != NO_REPLAY_LOCK;

	replay_locks_free(&locks);
	barriers_free(&barriers);
	blocked_waits_free(&waits);
	return is;
}

static void test_sections(void **state)
{
	const struct what_if_question question = { .nr_faster = 1, .faster = { { SECTION, 4 } } };
	struct model *model = make_locked(true, 0);

	(void)state;
	assert_true(is_lock_in(model, SECTION));
	assert_false(is_lock_in(model, WORK));
	replay_expect(model, &question, NR_ROUNDS * 4 * MS, NR_ROUNDS * 1 * MS);
}

/* One behind the other, always in the same order: they may need it. Twice another order: they do not. */
static void test_turns(void **state)
{
	(void)state;
	for (int nr_again = 0; nr_again < 3; nr_again++) {
		struct model *model = make_locked(false, nr_again);

		assert_int_equal(is_lock_in(model, SECTION), nr_again > 1);
		model_free(model);
	}
}

static void test_entangled(void **state)
{
	struct what_if_question question = { .nr_faster = 1, .faster = { { WORK, 2 } } };
	struct model *model = make_entangled(false);
	struct what_if what_if = replay_ask(model, &question);

	(void)state;
	/* A comes there at 1.5 ms, behind B. */
	assert_true(what_if.has_answer);
	assert_int_equal(what_if.predicted.nr_stuck, 0);
	what_if_free(&what_if);
	/* ... nearly in front of it: with 5 % less, it would be. */
	question.faster[0].factor = 2.9;
	what_if = replay_ask(model, &question);
	assert_true(what_if.has_answer);
	assert_true(what_if.nr_tasks);
	for (size_t i = 0; i < what_if.nr_tasks; i++)
		assert_int_not_equal(what_if.tasks[i].name, WORK);
	what_if_free(&what_if);
	question.faster[0].factor = 10;
	what_if = replay_ask(model, &question);
	assert_false(what_if.has_answer);
	assert_string_equal(what_if_why_no_answer(&what_if),
			    "with the change, threads of the replay wait for ever");
	assert_int_equal(what_if.nr_tasks, 0);
	model_free(model);
}

/* Without the lock, they have their sections at once. */
static void test_no_lock_of_sections(void **state)
{
	(void)state;
	replay_expect(make_locked(true, 0),
		      &(struct what_if_question){ .changes.no_lock = replay_futex },
		      NR_ROUNDS * 4 * MS, NR_ROUNDS * 2 * MS);
}

/*
 * Both share CPU 0. Each round A works for 2 ms, and sleeps in a barrier; then B does, which wakes A there, and is preempted: their
 * work is one behind the other, as in a lock.
 */
static struct model *make_barrier_on_one_cpu(void)
{
	uint64_t now_ns = BEGIN_NS;

	script_begin();
	feed_switch_at(now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(now_ns, 0, A);
	feed_fork_at(now_ns, 0, A, B, true);
	feed_wakeup_new_at(now_ns, 0, A, B, 0);
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += 4 * MS) {
		feed_begin_at(now_ns, 0, A, SECTION, TRACE_SPAN_WORK);
		feed_end_at(now_ns + 2 * MS, 0, A);
		feed_begin_at(now_ns + 2 * MS, 0, A, BARRIER, TRACE_SPAN_WAIT);
		feed_switch_at(now_ns + 2 * MS, 0, A, B, TRACE_OUT_SLEEPING);
		if (round)
			feed_end_at(now_ns + 2 * MS, 0, B);
		feed_begin_at(now_ns + 2 * MS, 0, B, SECTION, TRACE_SPAN_WORK);
		feed_end_at(now_ns + 4 * MS, 0, B);
		feed_begin_at(now_ns + 4 * MS, 0, B, BARRIER, TRACE_SPAN_WAIT);
		feed_wakeup_at(now_ns + 4 * MS, 0, B, A, 0);
		feed_switch_at(now_ns + 4 * MS, 0, B, A,
			       round < NR_ROUNDS - 1 ? TRACE_OUT_RUNNABLE : TRACE_OUT_DEAD);
		feed_end_at(now_ns + 4 * MS, 0, A);
	}
	return replay_end(now_ns);
}

static void test_no_section(void **state)
{
	(void)state;
	replay_expect(make_barrier_on_one_cpu(), &(struct what_if_question){ .nr_cpus = 2 },
		      NR_ROUNDS * 4 * MS, NR_ROUNDS * 2 * MS);
}

static void test_no_lock(void **state)
{
	(void)state;
	replay_expect(make_waiting(true),
		      &(struct what_if_question){ .changes.no_lock = replay_lock }, 40 * MS,
		      30 * MS);
	replay_expect(make_waiting(false),
		      &(struct what_if_question){ .changes.no_lock = replay_futex }, 40 * MS,
		      30 * MS);
	/* It has the other one. */
	replay_expect(make_waiting(true),
		      &(struct what_if_question){ .changes.no_lock = replay_futex }, 40 * MS,
		      40 * MS);
}

/* On their CPUs, where they are. */
static void test_pinned(void **state)
{
	(void)state;
	replay_expect(make_unbalanced(), &(struct what_if_question){ .is_pinned = true },
		      NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS);
	replay_expect(make_crowded(NR_ROUNDS, 3 * MS),
		      &(struct what_if_question){ .is_pinned = true, .nr_cpus = 2 },
		      2 * NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS);
}

static void test_no_answer(void **state)
{
	const struct what_if_question question = { .nr_cpus = 2 };
	struct model *model = make_inexplicable();
	struct what_if what_if = replay_ask(model, &question);

	(void)state;
	assert_false(what_if.has_answer);
	assert_int_equal(what_if.recorded_ns, 2 * NR_ROUNDS * MS);
	assert_int_equal(what_if.replayed_ns, NR_ROUNDS * MS);
	assert_int_equal(what_if.nr_tasks, 0);
	what_if_free(&what_if);
	model_free(model);
}

/* Who woke them may be anybody: none of the session, or both. */
static void test_unknown_wakers(void **state)
{
	const struct what_if_question question = { .nr_faster = 1, .faster = { { WORK, 2 } } };
	struct model *model = make_handed_over(false, MS);
	struct what_if what_if = replay_ask(model, &question);

	(void)state;
	assert_true(fabs(what_if.error) < 0.001);
	assert_false(what_if.has_answer);
	assert_string_equal(
		what_if_why_no_answer(&what_if),
		"for whom threads waited is not known, as without sched_waking or after lost events");
	assert_int_equal(what_if.nr_tasks, 0);
	model_free(model);
	replay_expect(make_handed_over(true, MS), &question, NR_ROUNDS * 3 * MS + MS,
		      NR_ROUNDS * 2 * MS + MS);
}

/* What may be is in the interval, unless it is too much. Tasks whose gain it changes are not told. */
static void test_few_unknown_wakers(void **state)
{
	struct what_if_question question = { .nr_faster = 1, .faster = { { WORK, 1.1 } } };
	struct model *model = make_handed_over(false, 120 * MS);
	struct what_if what_if = replay_ask(model, &question);

	(void)state;
	assert_true(what_if.has_answer);
	assert_in_range(what_if.predicted.ns, 150 * MS - NR_ROUNDS * 2 * MS / 11 - 1,
			150 * MS - NR_ROUNDS * 2 * MS / 11 + 1);
	assert_in_range(what_if.predicted.least_ns, 138 * MS - 1, 140 * MS);
	assert_true(what_if.predicted.unknown > 0.06);
	what_if_free(&what_if);
	model_free(model);
}

/* What is between chunks is gone, but not where it sleeps, nor behind the last one. */
static void test_merged(void **state)
{
	(void)state;
	replay_expect(make_chunks(), &(struct what_if_question){ .changes.merged = WORK },
		      NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS - (NR_ROUNDS - 2) * MS);
	replay_expect(make_chunks(), &(struct what_if_question){ .changes.merged = SECTION },
		      NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_balance),
		cmocka_unit_test(test_balance_of_one),
		cmocka_unit_test(test_faster),
		cmocka_unit_test(test_gain),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_years),
		cmocka_unit_test(test_fewer_cpus),
		cmocka_unit_test(test_without_a_stranger),
		cmocka_unit_test(test_without_a_program),
		cmocka_unit_test(test_other_placements),
		cmocka_unit_test(test_placed_by_a_program),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_entangled),
		cmocka_unit_test(test_no_lock_of_sections),
		cmocka_unit_test(test_no_section),
		cmocka_unit_test(test_no_lock),
		cmocka_unit_test(test_pinned),
		cmocka_unit_test(test_no_answer),
		cmocka_unit_test(test_unknown_wakers),
		cmocka_unit_test(test_few_unknown_wakers),
		cmocka_unit_test(test_merged),
	};

	return cmocka_run_group_tests(tests, replay_open_trace, replay_close_trace);
}
