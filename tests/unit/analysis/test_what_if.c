// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c */
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

#include "../../../libannot/attach/mpi/mpi_message.h"
#include "analysis/replay/finding_gains.h"
#include "analysis/replay/replay_locks.h"
#include "analysis/replay/what_if.h"
#include "events.h"
#include "model/builder_state.h"

#define A 101
#define B 102
#define C 103
#define STRANGER 50
#define OWN 14u /* names of the programs */
#define OTHER 15u
#define WORK 20u
#define SECTION 21u
#define BARRIER 30u
#define SEND 31u
#define RECEIVE 32u
#define MS 1000000ull
#define BEGIN_NS (1 * MS)
#define NR_ROUNDS 10
#define FUTEX_ADDRESS 0x1000u

/* Only so that there are strings, and two more. */
static struct trace *trace;
static uint32_t lock, futex;

/* Ended at @end_ns, by A on CPU 0. */
static struct model *end(uint64_t end_ns)
{
	feed_switch_at(end_ns, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

struct session {
	struct model *model;
	struct task_stats *stats;
	struct regions *regions;
	struct what_if_oracle oracle;
};

static struct session open_session(struct model *model)
{
	struct session session = { .model = model };

	model->trace = trace;
	session.stats = task_stats_compute(model);
	session.regions = regions_compute(model, session.stats, NULL);
	session.oracle = what_if_oracle_new(model, session.regions);
	return session;
}

static void close_session(struct session *session)
{
	what_if_oracle_free(&session->oracle);
	regions_free(session->regions);
	task_stats_free(session->stats);
	session->model->trace = NULL;
}

static struct what_if ask(struct model *model, const struct what_if_question *question)
{
	struct session session = open_session(model);
	struct what_if what_if = what_if_compute(&session.oracle, question);

	close_session(&session);
	return what_if;
}

static void expect(struct model *model, const struct what_if_question *question,
		   uint64_t recorded_ns, uint64_t predicted_ns)
{
	struct what_if what_if = ask(model, question);

	assert_true(what_if.has_answer);
	assert_int_equal(what_if.nr_stuck, 0);
	assert_int_equal(what_if.recorded_ns, recorded_ns);
	assert_true(fabs(what_if.error) < 0.001);
	assert_true(fabs((double)what_if.predicted.ns / (double)predicted_ns - 1) < 0.002);
	assert_true(what_if.predicted.least_ns <= what_if.predicted.ns);
	assert_true(what_if.predicted.most_ns >= what_if.predicted.ns);
	what_if_free(&what_if);
	model_free(model);
}

/* A on CPU 0 and B on CPU 1 begin at BEGIN_NS. */
static void begin_two(void)
{
	script_begin();
	feed_switch_at(BEGIN_NS, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, A);
	feed_fork_at(BEGIN_NS, 0, A, B, true);
	feed_wakeup_new_at(BEGIN_NS, 0, A, B, 1);
	feed_switch_at(BEGIN_NS, 1, 0, B, TRACE_OUT_RUNNABLE);
}

/* Each round, A works for 3 ms and B for 1 ms, which then sleeps in a barrier until A comes there, too. */
static struct model *make_unbalanced(void)
{
	uint64_t now_ns = BEGIN_NS;

	begin_two();
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += 3 * MS) {
		feed_begin_at(now_ns, 0, A, WORK, TRACE_SPAN_WORK);
		feed_begin_at(now_ns, 1, B, WORK, TRACE_SPAN_WORK);
		feed_end_at(now_ns + 1 * MS, 1, B);
		feed_begin_at(now_ns + 1 * MS, 1, B, BARRIER, TRACE_SPAN_WAIT);
		feed_switch_at(now_ns + 1 * MS, 1, B, 0, TRACE_OUT_SLEEPING);
		feed_end_at(now_ns + 3 * MS, 0, A);
		feed_begin_at(now_ns + 3 * MS, 0, A, BARRIER, TRACE_SPAN_WAIT);
		feed_wakeup_at(now_ns + 3 * MS, 0, A, B, 1);
		feed_end_at(now_ns + 3 * MS, 0, A);
		feed_switch_at(now_ns + 3 * MS, 1, 0, B, TRACE_OUT_SLEEPING);
		feed_end_at(now_ns + 3 * MS, 1, B);
	}
	feed_switch_at(now_ns, 1, B, 0, TRACE_OUT_DEAD);
	return end(now_ns);
}

static void test_balance(void **state)
{
	(void)state;
	expect(make_unbalanced(), &(struct what_if_question){ .changes.balanced = WORK },
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
		feed_begin_at(BEGIN_NS, 1, B, lock, TRACE_SPAN_WAIT);
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
	return end(BEGIN_NS + 4 * MS);
}

/* A gets half of the work, which is all of B's, or nothing. */
static void test_balance_of_one(void **state)
{
	const struct what_if_question question = { .changes.balanced = WORK };

	(void)state;
	expect(make_one_meeting(false), &question, 4 * MS, 4 * MS + MS / 2);
	expect(make_one_meeting(true), &question, 4 * MS, 4 * MS);
}

/* A's 1.5 ms are behind B's 0.5 then. */
static void test_faster(void **state)
{
	const struct what_if_question question = { .nr_faster = 1, .faster = { { WORK, 2 } } };

	(void)state;
	expect(make_unbalanced(), &question, NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS / 2);
}

/* All of the length is A's work. */
static void test_gain(void **state)
{
	struct model *model = make_unbalanced();
	struct what_if what_if = ask(model, &(struct what_if_question){ 0 });

	(void)state;
	assert_int_equal(what_if.nr_tasks, 1);
	assert_int_equal(what_if.tasks[0].name, WORK);
	assert_int_equal(what_if.tasks[0].work_ns, NR_ROUNDS * 4 * MS);
	assert_true(fabs(what_if.tasks[0].gain - 1) < 0.01);
	what_if_free(&what_if);
	model_free(model);
}

/* A and B share CPU 0, in @nr slices each. */
static struct model *make_crowded(int nr, uint64_t slice_ns)
{
	uint64_t now_ns = BEGIN_NS;

	script_begin();
	feed_switch_at(BEGIN_NS, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, B);
	feed_fork_at(BEGIN_NS, 0, B, A, true);
	feed_wakeup_new_at(BEGIN_NS, 0, B, A, 0);
	for (int slice = 1; slice < 2 * nr; slice++) {
		now_ns += slice_ns;
		feed_switch_at(now_ns, 0, slice % 2 ? B : A, slice % 2 ? A : B,
			       slice == 2 * nr - 1 ? TRACE_OUT_DEAD : TRACE_OUT_RUNNABLE);
	}
	return end(now_ns + slice_ns);
}

static void test_cpus(void **state)
{
	(void)state;
	for (int nr_cpus = 1; nr_cpus <= 4; nr_cpus++)
		expect(make_crowded(NR_ROUNDS, 3 * MS),
		       &(struct what_if_question){ .nr_cpus = nr_cpus }, 2 * NR_ROUNDS * 3 * MS,
		       (nr_cpus == 1 ? 2 : 1) * NR_ROUNDS * 3 * MS);
}

/* Two slices each, of three years. The replay's are usual ones, but not so many that it goes on for ever. */
static void test_years(void **state)
{
	const uint64_t slice_ns = 100000000000 * MS;

	(void)state;
	expect(make_crowded(2, slice_ns), &(struct what_if_question){ .nr_cpus = 2 }, 4 * slice_ns,
	       2 * slice_ns);
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
	expect(end(BEGIN_NS + 36 * MS), &(struct what_if_question){ .nr_cpus = 2 }, 36 * MS,
	       30 * MS);
}

/* Two CPUs become one: all work is behind each other. */
static void test_fewer_cpus(void **state)
{
	(void)state;
	expect(make_unbalanced(), &(struct what_if_question){ .nr_cpus = 1 }, NR_ROUNDS * 3 * MS,
	       NR_ROUNDS * 4 * MS);
}

/* A stranger has the CPU for half of the time, in turns of 1 ms. */
static struct model *make_with_stranger(void)
{
	uint64_t now_ns = BEGIN_NS;

	script_begin();
	feed_switch_at(now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(now_ns, 0, A);
	feed_rename_at(now_ns, 0, A, A, OWN);
	for (int turn = 0; turn < NR_ROUNDS; turn++, now_ns += 2 * MS) {
		feed_switch_at(now_ns + 1 * MS, 0, A, STRANGER, TRACE_OUT_RUNNABLE);
		feed_rename_at(now_ns + 1 * MS, 0, STRANGER, STRANGER, OTHER);
		feed_switch_at(now_ns + 2 * MS, 0, STRANGER, A, TRACE_OUT_SLEEPING);
	}
	return end(now_ns + 1 * MS);
}

static void test_without_a_stranger(void **state)
{
	(void)state;
	expect(make_with_stranger(), &(struct what_if_question){ .changes.without = OTHER },
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
	expect(make_two_programs(TURNS_NS), &(struct what_if_question){ .changes.without = OTHER },
	       TURNS_NS, TURNS_NS / 2);
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
			ask(model, &(struct what_if_question){ .changes.without = OTHER });

		assert_int_equal(what_if.placement, cases[i].placement);
		assert_int_equal(what_if.predicted.ns, cases[i].predicted_ns);
		assert_in_range(what_if.predicted.least_ns, TURNS_NS / 2 - MS, TURNS_NS / 2);
		assert_int_equal(what_if.predicted.most_ns, TURNS_NS);
		what_if_free(&what_if);
		model_free(model);
	}
}

/* @tid falls asleep on @cpu, for the futex that @holder has. */
static void feed_futex_at(uint64_t time_ns, int cpu, int32_t tid, int32_t holder)
{
	feed_blocked_at(time_ns, cpu, tid,
			&(struct blocked_words){ .cause = futex,
						 .object = futex,
						 .object_id = FUTEX_ADDRESS,
						 .holder_tid = holder });
	feed_switch_at(time_ns, cpu, tid, 0, TRACE_OUT_SLEEPING);
}

/*
 * Each round, both have a section of 2 ms for themselves, A first: B sleeps before it, and is woken when A leaves. Then A sleeps until
 * B leaves its own.
 */
static struct model *make_locked(void)
{
	uint64_t now_ns = BEGIN_NS;

	begin_two();
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += 4 * MS) {
		feed_begin_at(now_ns, 0, A, SECTION, TRACE_SPAN_WORK);
		feed_futex_at(now_ns, 1, B, A);
		feed_end_at(now_ns + 2 * MS, 0, A);
		feed_wakeup_at(now_ns + 2 * MS, 0, A, B, 1);
		feed_futex_at(now_ns + 2 * MS, 0, A, B);
		feed_switch_at(now_ns + 2 * MS, 1, 0, B, TRACE_OUT_SLEEPING);
		feed_begin_at(now_ns + 2 * MS, 1, B, SECTION, TRACE_SPAN_WORK);
		feed_end_at(now_ns + 4 * MS, 1, B);
		feed_wakeup_at(now_ns + 4 * MS, 1, B, A, 0);
		feed_switch_at(now_ns + 4 * MS, 0, 0, A, TRACE_OUT_SLEEPING);
	}
	feed_switch_at(now_ns, 1, B, 0, TRACE_OUT_DEAD);
	return end(now_ns);
}

static void test_sections(void **state)
{
	const struct what_if_question question = { .nr_faster = 1, .faster = { { SECTION, 4 } } };
	struct model *model = make_locked();
	struct blocked_waits waits = blocked_waits_find(model);
	struct barriers barriers = barriers_compute(model);
	struct replay_locks locks = replay_locks_find(model, &waits, &barriers,
						      &(struct lock_spans){ 0 });

	(void)state;
	assert_int_not_equal(replay_locks_of(&locks, model, thread_of(model, A, 0), SECTION),
			     NO_REPLAY_LOCK);
	assert_int_equal(replay_locks_of(&locks, model, thread_of(model, A, 0), WORK),
			 NO_REPLAY_LOCK);
	replay_locks_free(&locks);
	barriers_free(&barriers);
	blocked_waits_free(&waits);
	expect(model, &question, NR_ROUNDS * 4 * MS, NR_ROUNDS * 1 * MS);
}

/* Without the lock, they have their sections at once. */
static void test_no_lock_of_sections(void **state)
{
	(void)state;
	expect(make_locked(), &(struct what_if_question){ .changes.no_lock = futex },
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
	return end(now_ns);
}

static void test_no_section(void **state)
{
	(void)state;
	expect(make_barrier_on_one_cpu(), &(struct what_if_question){ .nr_cpus = 2 },
	       NR_ROUNDS * 4 * MS, NR_ROUNDS * 2 * MS);
}

/*
 * Each round B works for 1 ms, and waits for 2 ms for a lock, as it tells itself or its futex does, until A wakes it; then it works for
 * 10 ms. A works for 30 ms: without the lock, that is the end.
 */
static struct model *make_waiting(bool is_told)
{
	uint64_t now_ns = BEGIN_NS;

	begin_two();
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += 3 * MS) {
		if (is_told)
			feed_begin_at(now_ns + 1 * MS, 1, B, lock, TRACE_SPAN_WAIT);
		if (is_told)
			feed_switch_at(now_ns + 1 * MS, 1, B, 0, TRACE_OUT_SLEEPING);
		else
			feed_futex_at(now_ns + 1 * MS, 1, B, A);
		feed_wakeup_at(now_ns + 3 * MS, 0, A, B, 1);
		feed_switch_at(now_ns + 3 * MS, 1, 0, B, TRACE_OUT_SLEEPING);
		if (is_told)
			feed_end_at(now_ns + 3 * MS, 1, B);
	}
	feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(now_ns + 10 * MS, 1, B, 0, TRACE_OUT_DEAD);
	return script_end();
}

static void test_no_lock(void **state)
{
	(void)state;
	expect(make_waiting(true), &(struct what_if_question){ .changes.no_lock = lock }, 40 * MS,
	       30 * MS);
	expect(make_waiting(false), &(struct what_if_question){ .changes.no_lock = futex }, 40 * MS,
	       30 * MS);
	/* It has the other one. */
	expect(make_waiting(true), &(struct what_if_question){ .changes.no_lock = futex }, 40 * MS,
	       40 * MS);
}

/* Each round, rank 0 works, and sends to rank 1 a message; what it does afterwards is not told. Rank 1 works, and receives it. */
struct messages_scene {
	uint64_t work_ns; /* of rank 0: until its send begins */
	uint64_t section_ns; /* of rank 1: until its receive begins */
	uint64_t rest_ns; /* what rank 1 does after all rounds */
	uint64_t bytes; /* as rank 1 tells it; it was one */
	bool is_exchange; /* rank 1 sends one, too, when it begins to receive, and rank 0 receives it */
	bool is_answer; /* rank 0 sleeps until rank 1 wakes it, as it receives */
	bool is_asleep; /* rank 1 sleeps until it is woken, in the midst of the send */
	bool is_of_device; /* what wakes it is no thread */
};

#define ROUND_NS (4 * MS)
#define TRANSIT_NS (MS / 5)

/* They are rank 0 and 1 of a job that C starts. */
static void begin_ranks(void)
{
	script_begin()->model->trace = trace;
	feed_switch_at(BEGIN_NS, 0, 0, C, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, C);
	for (int rank = 0; rank < 2; rank++) {
		feed_fork_at(BEGIN_NS, 0, C, A + rank, false);
		feed_wakeup_new_at(BEGIN_NS, 0, C, A + rank, rank);
	}
	feed_switch_at(BEGIN_NS, 0, C, A, TRACE_OUT_DEAD);
	feed_switch_at(BEGIN_NS, 1, 0, B, TRACE_OUT_RUNNABLE);
	for (int rank = 0; rank < 2; rank++)
		feed_value_at(BEGIN_NS, rank, A + rank, trace_intern(trace, "@rank"), rank);
}

/* By @rank, of the other one. */
static void feed_message_at(uint64_t time_ns, int rank, const char *note, uint64_t bytes)
{
	feed_value_at(time_ns, rank, A + rank, trace_intern(trace, note),
		      mpi_message_value(!rank, 7, bytes));
}

static void feed_send_begin(uint64_t send_ns)
{
	feed_end_at(send_ns, 0, A);
	feed_begin_at(send_ns, 0, A, SEND, TRACE_SPAN_WAIT);
}

static void feed_receive_begin(const struct messages_scene *scene, uint64_t receive_ns)
{
	feed_end_at(receive_ns, 1, B);
	feed_begin_at(receive_ns, 1, B, RECEIVE, TRACE_SPAN_WAIT);
	if (scene->is_asleep)
		feed_switch_at(receive_ns, 1, B, 0, TRACE_OUT_SLEEPING);
}

static void feed_answer(uint64_t time_ns)
{
	feed_wakeup_at(time_ns, 1, B, A, 0);
	feed_switch_at(time_ns, 0, 0, A, TRACE_OUT_SLEEPING);
}

static void feed_begins(const struct messages_scene *scene, uint64_t now_ns)
{
	bool is_late = scene->section_ns < scene->work_ns;

	if (is_late)
		feed_receive_begin(scene, now_ns + scene->section_ns);
	if (scene->is_answer)
		feed_answer(now_ns + scene->section_ns + 1000);
	feed_send_begin(now_ns + scene->work_ns);
	if (!is_late)
		feed_receive_begin(scene, now_ns + scene->section_ns);
}

static void feed_ends(const struct messages_scene *scene, uint64_t sent_ns, uint64_t received_ns)
{
	if (scene->is_asleep) {
		feed_wakeup_at(sent_ns - TRANSIT_NS / 2, 0, scene->is_of_device ? 0 : A, B, 1);
		feed_switch_at(sent_ns - TRANSIT_NS / 2, 1, 0, B, TRACE_OUT_SLEEPING);
	}
	if (scene->is_exchange)
		feed_message_at(sent_ns, 0, "@recv", 1);
	feed_message_at(sent_ns, 0, "@send", 1);
	feed_end_at(sent_ns, 0, A);
	if (scene->is_exchange)
		feed_message_at(received_ns, 1, "@send", 1);
	feed_message_at(received_ns, 1, "@recv", scene->bytes);
	feed_end_at(received_ns, 1, B);
}

static struct model *make_messages(const struct messages_scene *scene)
{
	uint64_t now_ns = BEGIN_NS;

	begin_ranks();
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += ROUND_NS) {
		feed_begin_at(now_ns, 0, A, WORK, TRACE_SPAN_WORK);
		feed_begin_at(now_ns, 1, B, SECTION, TRACE_SPAN_WORK);
		if (scene->is_answer)
			feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_SLEEPING);
		feed_begins(scene, now_ns);
		feed_ends(scene, now_ns + scene->work_ns + TRANSIT_NS, now_ns + ROUND_NS);
	}
	feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(now_ns + scene->rest_ns, 1, B, 0, TRACE_OUT_DEAD);
	return script_end();
}

static void expect_of_messages(const struct messages_scene *scene, struct what_if_faster faster,
			       uint64_t predicted_ns)
{
	expect(make_messages(scene),
	       &(struct what_if_question){ .nr_faster = 1, .faster = { faster } },
	       NR_ROUNDS * ROUND_NS + scene->rest_ns, predicted_ns);
}

/* Whether it spins or sleeps in its receive, it goes on when the sender, which takes half the time, has sent. */
static void test_late_sender(void **state)
{
	struct messages_scene scene = { .work_ns = ROUND_NS - TRANSIT_NS,
					.section_ns = 1 * MS,
					.bytes = 1 };
	const struct what_if_faster faster = { WORK, 2 };
	uint64_t predicted_ns = NR_ROUNDS * (ROUND_NS + TRANSIT_NS) / 2;

	(void)state;
	expect_of_messages(&scene, faster, predicted_ns);
	scene.is_asleep = true;
	expect_of_messages(&scene, faster, predicted_ns);
	/* It does not even sleep if it is the last that comes. */
	expect_of_messages(&scene, (struct what_if_faster){ WORK, 8 },
			   NR_ROUNDS * (1 * MS + TRANSIT_NS / 2));
	scene.is_of_device = true;
	expect_of_messages(&scene, faster, predicted_ns);
	/* Its messages are not told rightly: then its spin is work. */
	scene.is_asleep = false;
	scene.bytes = 2;
	expect_of_messages(&scene, faster, NR_ROUNDS * ROUND_NS);
}

/* The receiver did not wait. With less work it does, until the last send of the other, which begins half of a round later. */
static void test_early_sender(void **state)
{
	const struct messages_scene scene = { .work_ns = ROUND_NS / 2,
					      .section_ns = ROUND_NS - TRANSIT_NS,
					      .rest_ns = 10 * MS,
					      .bytes = 1 };

	(void)state;
	expect_of_messages(&scene, (struct what_if_faster){ SECTION, 4 },
			   NR_ROUNDS * ROUND_NS - ROUND_NS / 2 + TRANSIT_NS + 10 * MS);
}

/* Each waits for the other in one call: now for rank 1, which was the first before. */
static void test_exchange(void **state)
{
	const struct messages_scene scene = { .work_ns = ROUND_NS - TRANSIT_NS,
					      .section_ns = 1 * MS,
					      .bytes = 1,
					      .is_exchange = true };

	(void)state;
	expect_of_messages(&scene, (struct what_if_faster){ WORK, 5 },
			   NR_ROUNDS * (1 * MS + TRANSIT_NS));
}

/* Its work begins when the receive does, and takes half the time from there. */
static void test_answer(void **state)
{
	const struct messages_scene scene = { .work_ns = ROUND_NS - TRANSIT_NS,
					      .section_ns = 1 * MS,
					      .bytes = 1,
					      .is_answer = true };

	(void)state;
	expect_of_messages(&scene, (struct what_if_faster){ WORK, 2 },
			   NR_ROUNDS * (ROUND_NS + TRANSIT_NS + 1 * MS) / 2);
}

/* On their CPUs, where they are. */
static void test_pinned(void **state)
{
	(void)state;
	expect(make_unbalanced(), &(struct what_if_question){ .is_pinned = true },
	       NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS);
	expect(make_crowded(NR_ROUNDS, 3 * MS),
	       &(struct what_if_question){ .is_pinned = true, .nr_cpus = 2 },
	       2 * NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS);
}

/* A is ready for half of the time while its CPU is idle: no model of a scheduler does that. */
static struct model *make_inexplicable(void)
{
	uint64_t now_ns = BEGIN_NS;

	script_begin();
	feed_switch_at(now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(now_ns, 0, A);
	for (int turn = 0; turn < NR_ROUNDS; turn++, now_ns += 2 * MS) {
		feed_switch_at(now_ns + 1 * MS, 0, A, 0, TRACE_OUT_RUNNABLE);
		feed_switch_at(now_ns + 2 * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	return end(now_ns);
}

static void test_no_answer(void **state)
{
	const struct what_if_question question = { .nr_cpus = 2 };
	struct model *model = make_inexplicable();
	struct what_if what_if = ask(model, &question);

	(void)state;
	assert_false(what_if.has_answer);
	assert_int_equal(what_if.recorded_ns, 2 * NR_ROUNDS * MS);
	assert_int_equal(what_if.replayed_ns, NR_ROUNDS * MS);
	assert_int_equal(what_if.nr_tasks, 0);
	what_if_free(&what_if);
	model_free(model);
}

/* A does a chunk of 2 ms each round, and has 1 ms to do before the next; once it also sleeps there. */
static struct model *make_chunks(void)
{
	uint64_t now_ns = BEGIN_NS;

	script_begin();
	feed_switch_at(now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(now_ns, 0, A);
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += 3 * MS) {
		feed_begin_at(now_ns, 0, A, WORK, TRACE_SPAN_WORK);
		feed_end_at(now_ns + 2 * MS, 0, A);
		if (round != NR_ROUNDS / 2)
			continue;
		feed_switch_at(now_ns + 2 * MS + MS / 2, 0, A, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(now_ns + 3 * MS, 0, 0, A, 0);
		feed_switch_at(now_ns + 3 * MS, 0, 0, A, TRACE_OUT_SLEEPING);
	}
	return end(now_ns);
}

/* What is between chunks is gone, but not where it sleeps, nor behind the last one. */
static void test_merged(void **state)
{
	(void)state;
	expect(make_chunks(), &(struct what_if_question){ .changes.merged = WORK },
	       NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS - (NR_ROUNDS - 2) * MS);
	expect(make_chunks(), &(struct what_if_question){ .changes.merged = SECTION },
	       NR_ROUNDS * 3 * MS, NR_ROUNDS * 3 * MS);
}

static void add(struct findings *findings, enum finding_kind kind, uint64_t lost_ns,
		enum run_change_kind cure, uint32_t name)
{
	findings_add(findings, kind, lost_ns, 0, 1)->cure = (struct run_change){ .kind = cure,
										 .name = name };
}

static const struct finding *find(const struct findings *findings, enum finding_kind kind)
{
	for (size_t i = 0; i < findings->nr; i++) {
		if (findings->rows[i].kind == kind)
			return &findings->rows[i];
	}
	fail();
	return NULL;
}

static struct findings gains_of(struct model *model, struct findings findings)
{
	struct session session = open_session(model);

	finding_gains_compute(&findings, &session.oracle);
	close_session(&session);
	return findings;
}

static void expect_gain(const struct findings *findings, enum finding_kind kind, int64_t gain_ns)
{
	const struct finding *finding = find(findings, kind);

	assert_true(finding->has_gain);
	assert_true(llabs(finding->gain_ns - gain_ns) < 100000);
	assert_true(finding->gain_least_ns <= finding->gain_ns);
	assert_true(finding->gain_most_ns >= finding->gain_ns);
}

/* A perfect balance saves 1 ms of 3 in each round. That of no region, and locks that nobody has, are not known to save any. */
static void test_gains(void **state)
{
	struct model *model = make_unbalanced();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_LOCK_CONTENTION, 9 * MS, CHANGE_NO_LOCK, lock);
	add(&findings, FINDING_LOOP_SCHEDULE, 8 * MS, CHANGE_BALANCE, SECTION);
	add(&findings, FINDING_IMBALANCE, 1 * MS, CHANGE_BALANCE, WORK);
	add(&findings, FINDING_MIGRATIONS, 20 * MS, CHANGE_PIN, TRACE_NO_STRING);
	add(&findings, FINDING_IDLE_WAITS, 5 * MS, CHANGE_UNPIN, TRACE_NO_STRING);
	add(&findings, FINDING_IO_WAIT, 4 * MS, CHANGE_NONE, TRACE_NO_STRING);
	findings = gains_of(model, findings);
	expect_gain(&findings, FINDING_IMBALANCE, NR_ROUNDS * MS);
	expect_gain(&findings, FINDING_MIGRATIONS, 0);
	assert_false(find(&findings, FINDING_LOCK_CONTENTION)->has_gain);
	assert_false(find(&findings, FINDING_LOOP_SCHEDULE)->has_gain);
	/* They may run anywhere already. */
	assert_false(find(&findings, FINDING_IDLE_WAITS)->has_gain);
	assert_false(find(&findings, FINDING_IO_WAIT)->has_gain);
	/* By what is gained, or may be lost. */
	assert_int_equal(findings.rows[0].kind, FINDING_IMBALANCE);
	assert_int_equal(findings.rows[1].kind, FINDING_LOCK_CONTENTION);
	assert_int_equal(findings.rows[5].kind, FINDING_MIGRATIONS);
	findings_free(&findings);
	model_free(model);
}

/* Without the session's own program, its work is gone: that cures nothing. */
static void test_gain_of_strangers(void **state)
{
	struct model *model = make_with_stranger();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_INTERFERENCE, 9 * MS, CHANGE_WITHOUT, OTHER);
	add(&findings, FINDING_SLOW_INSTANCES, 8 * MS, CHANGE_WITHOUT, OTHER);
	add(&findings, FINDING_WAKEUP_LATENCY, 7 * MS, CHANGE_WITHOUT, OWN);
	findings = gains_of(model, findings);
	expect_gain(&findings, FINDING_INTERFERENCE, NR_ROUNDS * MS);
	expect_gain(&findings, FINDING_SLOW_INSTANCES, NR_ROUNDS * MS);
	assert_false(find(&findings, FINDING_WAKEUP_LATENCY)->has_gain);
	findings_free(&findings);
	model_free(model);
}

/* With as many CPUs as it has, nothing is changed. */
static void test_gain_of_cpus(void **state)
{
	(void)state;
	for (int nr_cpus = 1; nr_cpus <= 2; nr_cpus++) {
		struct model *model = make_crowded(NR_ROUNDS, 3 * MS);
		struct findings findings = { 0 };

		add(&findings, FINDING_OVERSUBSCRIPTION, 9 * MS, CHANGE_CPUS, TRACE_NO_STRING);
		findings.rows[0].cure.nr_cpus = nr_cpus;
		findings = gains_of(model, findings);
		if (nr_cpus == 1)
			assert_false(findings.rows[0].has_gain);
		else
			expect_gain(&findings, FINDING_OVERSUBSCRIPTION, NR_ROUNDS * 3 * MS);
		findings_free(&findings);
		model_free(model);
	}
}

static void test_gain_of_chunks(void **state)
{
	struct model *model = make_chunks();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_TASK_GRANULARITY, 9 * MS, CHANGE_MERGE, WORK);
	add(&findings, FINDING_LOOP_SCHEDULE, 7 * MS, CHANGE_MERGE, SECTION);
	findings = gains_of(model, findings);
	expect_gain(&findings, FINDING_TASK_GRANULARITY, (NR_ROUNDS - 2) * MS);
	assert_false(find(&findings, FINDING_LOOP_SCHEDULE)->has_gain);
	findings_free(&findings);
	model_free(model);
}

static void test_gain_of_futexes(void **state)
{
	struct model *model = make_waiting(false);
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_LOCK_CONTENTION, 9 * MS, CHANGE_NO_LOCK, futex);
	add(&findings, FINDING_LOCK_CONVOY, 8 * MS, CHANGE_NO_LOCK, lock);
	findings = gains_of(model, findings);
	expect_gain(&findings, FINDING_LOCK_CONTENTION, 10 * MS);
	assert_false(find(&findings, FINDING_LOCK_CONVOY)->has_gain);
	findings_free(&findings);
	model_free(model);
}

static void test_no_gain(void **state)
{
	struct model *model = make_inexplicable();
	struct findings findings = { 0 };

	(void)state;
	add(&findings, FINDING_MIGRATIONS, 9 * MS, CHANGE_PIN, TRACE_NO_STRING);
	findings = gains_of(model, findings);
	assert_false(findings.rows[0].has_gain);
	findings_free(&findings);
	model_free(model);
}

static int open_trace(void **state)
{
	(void)state;
	if (trace_open("tests/data/scene-quiet.dat", &trace))
		return -1;
	lock = trace_intern(trace, "mutex");
	futex = trace_intern(trace, "futex 0x1000");
	return 0;
}

static int close_trace(void **state)
{
	(void)state;
	trace_close(trace);
	return 0;
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
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_no_lock_of_sections),
		cmocka_unit_test(test_no_section),
		cmocka_unit_test(test_no_lock),
		cmocka_unit_test(test_late_sender),
		cmocka_unit_test(test_early_sender),
		cmocka_unit_test(test_exchange),
		cmocka_unit_test(test_answer),
		cmocka_unit_test(test_pinned),
		cmocka_unit_test(test_no_answer),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_gains),
		cmocka_unit_test(test_gain_of_strangers),
		cmocka_unit_test(test_gain_of_cpus),
		cmocka_unit_test(test_gain_of_chunks),
		cmocka_unit_test(test_gain_of_futexes),
		cmocka_unit_test(test_no_gain),
	};

	return cmocka_run_group_tests(tests, open_trace, close_trace);
}
