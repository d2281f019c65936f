// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "replays.h"

struct trace *replay_trace;
uint32_t replay_lock, replay_futex;

struct model *replay_end(uint64_t end_ns)
{
	feed_switch_at(end_ns, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

struct replay_session replay_open(struct model *model)
{
	struct replay_session session = { .model = model };

	model->trace = replay_trace;
	session.stats = task_stats_compute(model);
	session.regions = regions_compute(model, session.stats, NULL);
	session.oracle = what_if_oracle_new(model, session.regions);
	return session;
}

void replay_close(struct replay_session *session)
{
	what_if_oracle_free(&session->oracle);
	regions_free(session->regions);
	task_stats_free(session->stats);
	session->model->trace = NULL;
}

struct what_if replay_ask(struct model *model, const struct what_if_question *question)
{
	struct replay_session session = replay_open(model);
	struct what_if what_if = what_if_compute(&session.oracle, question);

	replay_close(&session);
	return what_if;
}

void replay_expect(struct model *model, const struct what_if_question *question,
		   uint64_t recorded_ns, uint64_t predicted_ns)
{
	struct what_if what_if = replay_ask(model, question);

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

void begin_two(void)
{
	script_begin();
	feed_switch_at(BEGIN_NS, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, A);
	feed_fork_at(BEGIN_NS, 0, A, B, true);
	feed_wakeup_new_at(BEGIN_NS, 0, A, B, 1);
	feed_switch_at(BEGIN_NS, 1, 0, B, TRACE_OUT_RUNNABLE);
}

void replay_feed_futex_at(uint64_t time_ns, int cpu, int32_t tid, int32_t holder)
{
	feed_blocked_at(time_ns, cpu, tid,
			&(struct blocked_words){ .cause = replay_futex,
						 .object = replay_futex,
						 .object_id = FUTEX_ADDRESS,
						 .holder_tid = holder });
	feed_switch_at(time_ns, cpu, tid, 0, TRACE_OUT_SLEEPING);
}

struct model *make_unbalanced(void)
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
	return replay_end(now_ns);
}

struct model *make_crowded(int nr, uint64_t slice_ns)
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
	return replay_end(now_ns + slice_ns);
}

struct model *make_with_stranger(void)
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
	return replay_end(now_ns + 1 * MS);
}

static void feed_asleep_at(uint64_t time_ns, int cpu, int32_t tid, int32_t holder)
{
	if (holder)
		replay_feed_futex_at(time_ns, cpu, tid, holder);
	else
		feed_switch_at(time_ns, cpu, tid, 0, TRACE_OUT_SLEEPING);
}

/* In the first @nr_again rounds, A has two sections. */
static void feed_locked(bool is_told, int nr_again)
{
	uint64_t now_ns = BEGIN_NS;

	begin_two();
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += 4 * MS) {
		feed_begin_at(now_ns, 0, A, SECTION, TRACE_SPAN_WORK);
		feed_asleep_at(now_ns, 1, B, is_told ? A : 0);
		if (round < nr_again) {
			feed_end_at(now_ns + 1 * MS, 0, A);
			feed_begin_at(now_ns + 1 * MS, 0, A, SECTION, TRACE_SPAN_WORK);
		}
		feed_end_at(now_ns + 2 * MS, 0, A);
		feed_wakeup_at(now_ns + 2 * MS, 0, A, B, 1);
		feed_asleep_at(now_ns + 2 * MS, 0, A, is_told ? B : 0);
		feed_switch_at(now_ns + 2 * MS, 1, 0, B, TRACE_OUT_SLEEPING);
		feed_begin_at(now_ns + 2 * MS, 1, B, SECTION, TRACE_SPAN_WORK);
		feed_end_at(now_ns + 4 * MS, 1, B);
		feed_wakeup_at(now_ns + 4 * MS, 1, B, A, 0);
		feed_switch_at(now_ns + 4 * MS, 0, 0, A, TRACE_OUT_SLEEPING);
	}
}

struct model *make_locked(bool is_told, int nr_again)
{
	uint64_t now_ns = BEGIN_NS + NR_ROUNDS * 4 * MS;

	feed_locked(is_told, nr_again);
	feed_switch_at(now_ns, 1, B, 0, TRACE_OUT_DEAD);
	return replay_end(now_ns);
}

struct model *make_entangled(bool by_stranger)
{
	uint64_t now_ns = BEGIN_NS + NR_ROUNDS * 4 * MS;

	feed_locked(true, 0);
	if (by_stranger)
		feed_switch_at(now_ns + MS / 10, 0, A, STRANGER, TRACE_OUT_RUNNABLE);
	else
		feed_begin_at(now_ns, 0, A, WORK, TRACE_SPAN_WORK);
	if (by_stranger)
		feed_rename_at(now_ns + MS / 10, 0, STRANGER, STRANGER, OTHER);
	feed_begin_at(now_ns + 1 * MS, 1, B, SECTION, TRACE_SPAN_WORK);
	feed_end_at(now_ns + 2 * MS, 1, B);
	if (by_stranger)
		feed_switch_at(now_ns + 3 * MS - MS / 10, 0, STRANGER, A, TRACE_OUT_SLEEPING);
	else
		feed_end_at(now_ns + 3 * MS, 0, A);
	feed_begin_at(now_ns + 3 * MS, 0, A, SECTION, TRACE_SPAN_WORK);
	feed_switch_at(now_ns + 4 * MS, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(now_ns + 6 * MS, 1, B, A, 0);
	feed_switch_at(now_ns + 6 * MS, 1, B, 0, TRACE_OUT_DEAD);
	feed_switch_at(now_ns + 6 * MS, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_end_at(now_ns + 7 * MS, 0, A);
	return replay_end(now_ns + 7 * MS);
}

struct model *make_waiting(bool is_told)
{
	uint64_t now_ns = BEGIN_NS;

	begin_two();
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += 3 * MS) {
		if (is_told)
			feed_begin_at(now_ns + 1 * MS, 1, B, replay_lock, TRACE_SPAN_WAIT);
		if (is_told)
			feed_switch_at(now_ns + 1 * MS, 1, B, 0, TRACE_OUT_SLEEPING);
		else
			replay_feed_futex_at(now_ns + 1 * MS, 1, B, A);
		feed_wakeup_at(now_ns + 3 * MS, 0, A, B, 1);
		feed_switch_at(now_ns + 3 * MS, 1, 0, B, TRACE_OUT_SLEEPING);
		if (is_told)
			feed_end_at(now_ns + 3 * MS, 1, B);
	}
	feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(now_ns + 10 * MS, 1, B, 0, TRACE_OUT_DEAD);
	return script_end();
}

struct model *make_inexplicable(void)
{
	uint64_t now_ns = BEGIN_NS;

	script_begin();
	feed_switch_at(now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(now_ns, 0, A);
	for (int turn = 0; turn < NR_ROUNDS; turn++, now_ns += 2 * MS) {
		feed_switch_at(now_ns + 1 * MS, 0, A, 0, TRACE_OUT_RUNNABLE);
		feed_switch_at(now_ns + 2 * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	return replay_end(now_ns);
}

struct model *make_chunks(void)
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
	return replay_end(now_ns);
}

int replay_open_trace(void **state)
{
	(void)state;
	if (trace_open("tests/data/scene-quiet.dat", &replay_trace))
		return -1;
	replay_lock = trace_intern(replay_trace, "mutex");
	replay_futex = trace_intern(replay_trace, "futex 0x1000");
	return 0;
}

int replay_close_trace(void **state)
{
	(void)state;
	trace_close(replay_trace);
	return 0;
}

struct model *make_handed_over(bool is_told, uint64_t alone_ns)
{
	uint64_t now_ns = BEGIN_NS;

	begin_two();
	feed_switch_at(now_ns, 1, B, 0, TRACE_OUT_SLEEPING);
	for (int round = 0; round < NR_ROUNDS; round++, now_ns += 3 * MS) {
		feed_begin_at(now_ns, 0, A, WORK, TRACE_SPAN_WORK);
		feed_end_at(now_ns + 2 * MS, 0, A);
		if (is_told)
			feed_waking_at(now_ns + 2 * MS, 0, A, B);
		feed_switch_at(now_ns + 2 * MS, 0, A, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(now_ns + 2 * MS, 1, 0, B, 1);
		feed_switch_at(now_ns + 2 * MS, 1, 0, B, TRACE_OUT_SLEEPING);
		if (is_told)
			feed_waking_at(now_ns + 3 * MS, 1, B, A);
		feed_switch_at(now_ns + 3 * MS, 1, B, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(now_ns + 3 * MS, 0, 0, A, 0);
		feed_switch_at(now_ns + 3 * MS, 0, 0, A, TRACE_OUT_SLEEPING);
	}
	return replay_end(now_ns + alone_ns);
}
