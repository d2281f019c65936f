// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/unit/analysis/replay/replays.c */
/*
 * Replays of ranks that send each other messages, which wait for these spinning or asleep.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../../../../libannot/attach/mpi/mpi_message.h"
#include "model/builder_state.h"
#include "replays.h"

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
	script_begin()->model->trace = replay_trace;
	feed_switch_at(BEGIN_NS, 0, 0, C, TRACE_OUT_RUNNABLE);
	feed_session_at(BEGIN_NS, 0, C);
	for (int rank = 0; rank < 2; rank++) {
		feed_fork_at(BEGIN_NS, 0, C, A + rank, false);
		feed_wakeup_new_at(BEGIN_NS, 0, C, A + rank, rank);
	}
	feed_switch_at(BEGIN_NS, 0, C, A, TRACE_OUT_DEAD);
	feed_switch_at(BEGIN_NS, 1, 0, B, TRACE_OUT_RUNNABLE);
	for (int rank = 0; rank < 2; rank++)
		feed_value_at(BEGIN_NS, rank, A + rank, trace_intern(replay_trace, "@rank"), rank);
}

/* By @rank, of the other one. */
static void feed_message_at(uint64_t time_ns, int rank, const char *note, uint64_t bytes)
{
	feed_value_at(time_ns, rank, A + rank, trace_intern(replay_trace, note),
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
	replay_expect(make_messages(scene),
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late_sender),
		cmocka_unit_test(test_early_sender),
		cmocka_unit_test(test_exchange),
		cmocka_unit_test(test_answer),
	};

	return cmocka_run_group_tests(tests, replay_open_trace, replay_close_trace);
}
