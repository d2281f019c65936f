// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/raw_events.c */
/*
 * What libannot writes to trace_marker_raw -> events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "raw_events.h"
#include "uapi/annot.h"

static void test_each_operation(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[16];

	tell_names(fixture, PROCESS, "loop", "barrier");
	add(&batch, 1000, -7, 1, ANNOT_OP_BEGIN, 1);
	add(&batch, 1002, 5, 2, ANNOT_OP_WAIT_BEGIN, 0);
	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	add(&batch, 2500, INT64_MIN, 2, ANNOT_OP_MARK, 1);
	add(&batch, 2998, INT64_MAX, 1, ANNOT_OP_COUNTER, 0);
	add(&batch, 3000, 8, 2, ANNOT_OP_NEXT, 1);
	add(&batch, 3000, 0, 0, ANNOT_OP_END, 0);
	assert_int_equal(decode_batch(fixture, &batch, events, 16), 8);
	assert_annotation(fixture, &events[0], TRACE_SPAN_BEGIN, NOW_NS - 1000, "loop");
	assert_int_equal(events[0].annot.span_kind, TRACE_SPAN_WORK);
	assert_true(events[0].annot.has_value && events[0].annot.value == -7);
	assert_annotation(fixture, &events[1], TRACE_SPAN_BEGIN, NOW_NS - 999, "barrier");
	assert_int_equal(events[1].annot.span_kind, TRACE_SPAN_WAIT);
	assert_false(events[1].annot.has_value);
	assert_annotation(fixture, &events[2], TRACE_SPAN_END, NOW_NS - 500, NULL);
	assert_annotation(fixture, &events[3], TRACE_MARK, NOW_NS - 250, "barrier");
	assert_true(events[3].annot.has_value && events[3].annot.value == INT64_MIN);
	assert_annotation(fixture, &events[4], TRACE_COUNTER, NOW_NS - 1, "loop");
	assert_true(events[4].annot.has_value && events[4].annot.value == INT64_MAX);
	assert_annotation(fixture, &events[5], TRACE_SPAN_END, NOW_NS, NULL);
	assert_annotation(fixture, &events[6], TRACE_SPAN_BEGIN, NOW_NS, "barrier");
	assert_true(events[6].annot.has_value && events[6].annot.value == 8);
	assert_annotation(fixture, &events[7], TRACE_SPAN_END, NOW_NS, NULL);
	assert_int_equal(nr_unreadable(fixture), 0);
	assert_int_equal(fixture->counts.nr_altered, 0);
	assert_int_equal(fixture->counts.nr_nameless, 0);
}

/* The event's time is later than the moment the batch tells, by what the thread was kept waiting. */
static void test_clock_of_the_moments(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[1];

	decoder_set_clock(fixture->decoder, "mono");
	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	decode_batch(fixture, &batch, events, 1);
	assert_annotation(fixture, events, TRACE_SPAN_END, 100500, NULL);
	/* What cannot be the same clock is taken as the length of time that it tells. */
	batch.batch.until.ns += NOW_NS;
	batch.batch.since.ns += NOW_NS;
	decode_batch(fixture, &batch, events, 1);
	assert_annotation(fixture, events, TRACE_SPAN_END, NOW_NS - 500, NULL);
	decoder_set_clock(fixture->decoder, "local");
	batch.batch.until.ns -= NOW_NS;
	batch.batch.since.ns -= NOW_NS;
	decode_batch(fixture, &batch, events, 1);
	assert_annotation(fixture, events, TRACE_SPAN_END, NOW_NS - 500, NULL);
}

static void test_names(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[2];

	tell_names(fixture, PROCESS, "one", "two");
	tell_names(fixture, OTHER_PROCESS, "other one", "other two");
	add(&batch, 2000, 0, 1, ANNOT_OP_MARK, 0);
	add(&batch, 2000, 0, 3, ANNOT_OP_MARK, 0);
	decode_batch(fixture, &batch, events, 2);
	assert_annotation(fixture, &events[0], TRACE_MARK, NOW_NS - 500, "one");
	assert_int_equal(fixture->counts.nr_nameless, 1);
	batch.batch.head.process = OTHER_PROCESS;
	decode_batch(fixture, &batch, events, 2);
	assert_annotation(fixture, &events[0], TRACE_MARK, NOW_NS - 500, "other one");
	assert_int_equal(nr_unreadable(fixture), 0);
}

/* Another thread of the process may write for one that has shown to be of it; nobody else. */
static void test_for_another_thread(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event(), hello = batch_event();
	struct trace_event event;

	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	batch.batch.tid = 18;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 1);
	hello.common.pid = 18;
	hello.batch.tid = 18;
	assert_int_equal(decode_batch(fixture, &hello, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 1);
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 1);
	assert_int_equal(event.tid, 17);
	assert_int_equal(event.annot.owner_tid, 18);
	/* By another process. */
	batch.batch.head.process = OTHER_PROCESS;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 2);
	batch.batch.head.process = PROCESS;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 1);
	/* The number is another process's thread's. */
	hello.batch.head.process = OTHER_PROCESS;
	decode_batch(fixture, &hello, &event, 1);
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 3);
}

static void test_for_a_thread_that_ended(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event(), hello = batch_event();
	struct {
		struct common common;
		int32_t pid;
	} exit = { .common = { .type = EXIT_ID, .pid = 18 }, .pid = 18 };
	struct trace_event event;

	hello.common.pid = 18;
	hello.batch.tid = 18;
	decode_batch(fixture, &hello, &event, 1);
	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	batch.batch.tid = 18;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 1);
	decode_all(fixture, &exit, sizeof(exit), &event, 1);
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 1);
}

/* Of thread @tid of the trace, which is number @number in its PID namespace. */
static struct batch_event inside_event(int32_t tid, int32_t number)
{
	struct batch_event batch = batch_event();

	batch.common.pid = tid;
	batch.batch.writer = number;
	batch.batch.tid = number;
	batch.batch.tgid = 1;
	return batch;
}

static void test_in_a_pid_namespace(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event first = inside_event(17, 1), second = inside_event(18, 5);
	struct trace_event event;

	/* The process is not known by the kernel's number before its first thread has written. */
	add(&second, 2000, 0, 0, ANNOT_OP_END, 0);
	assert_int_equal(decode_batch(fixture, &second, &event, 1), 1);
	assert_int_equal(event.tid, 18);
	assert_int_equal(event.annot.owner_tid, 0);
	assert_int_equal(event.annot.tgid, 0);
	add(&first, 2000, 0, 0, ANNOT_OP_END, 0);
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 1);
	assert_int_equal(event.tid, 17);
	assert_int_equal(event.annot.owner_tid, 0);
	assert_int_equal(event.annot.tgid, 17);
	/* The first writes for the second. */
	first.batch.tid = 5;
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 1);
	assert_int_equal(event.tid, 17);
	assert_int_equal(event.annot.owner_tid, 18);
	assert_int_equal(event.annot.tgid, 17);
	assert_int_equal(nr_unreadable(fixture), 0);
	/* For a thread of its namespace that has not written, and for one by the trace's number. */
	first.batch.tid = 6;
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 0);
	first.batch.tid = 18;
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 2);
	/* Another process, which calls a thread of its own the same. */
	first.batch.tid = 5;
	first.batch.head.process = OTHER_PROCESS;
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 3);
}

/* In a namespace numbers come again, as well. */
static void test_number_of_a_thread_that_ended(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event first = inside_event(17, 1), second = inside_event(18, 5);
	struct {
		struct common common;
		int32_t pid;
	} exit = { .common = { .type = EXIT_ID, .pid = 18 }, .pid = 18 };
	struct trace_event event;

	decode_batch(fixture, &second, &event, 1);
	add(&first, 2000, 0, 0, ANNOT_OP_END, 0);
	first.batch.tid = 5;
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 1);
	decode_all(fixture, &exit, sizeof(exit), &event, 1);
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 1);
	second.common.pid = 19;
	decode_batch(fixture, &second, &event, 1);
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 1);
	assert_int_equal(event.annot.owner_tid, 19);
}

/* Two threads claim one number: of those the kernel's, else none is believed. */
static void test_disputed_number(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event first = inside_event(17, 1), second = inside_event(18, 5);
	struct batch_event forged = inside_event(20, 5), by_kernel = inside_event(5, 5);
	struct trace_event event;

	add(&first, 2000, 0, 0, ANNOT_OP_END, 0);
	first.batch.tid = 5;
	decode_batch(fixture, &second, &event, 1);
	decode_batch(fixture, &forged, &event, 1);
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 0);
	decode_batch(fixture, &second, &event, 1);
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 2);
	decode_batch(fixture, &by_kernel, &event, 1);
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 1);
	assert_int_equal(event.annot.owner_tid, 5);
	decode_batch(fixture, &forged, &event, 1);
	assert_int_equal(decode_batch(fixture, &first, &event, 1), 1);
	assert_int_equal(event.annot.owner_tid, 5);
	/* What they write themselves is theirs, whatever they say. */
	add(&forged, 2000, 0, 0, ANNOT_OP_END, 0);
	assert_int_equal(decode_batch(fixture, &forged, &event, 1), 1);
	assert_int_equal(event.tid, 20);
	assert_int_equal(event.annot.owner_tid, 0);
}

static void test_losses(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event event;

	batch.batch.nr_lost = 300;
	decode_batch(fixture, &batch, &event, 1);
	assert_int_equal(fixture->counts.nr_lost_by_reason[TRACE_ANNOTATION_OTHER], 300);
	assert_int_equal(fixture->counts.nr_lost, 300);
}

/* Others use trace_marker_raw as well; the kernel itself writes -1 for what it could not copy. */
static void test_strangers(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event event;

	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	batch.batch.head.id = 0xffffffff;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	batch.batch.head.id = ANNOT_RAW_ID + 1;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	assert_int_equal(decode_all(fixture, &batch, 12, &event, 1), 0);
	assert_int_equal(decode_all(fixture, &batch, 11, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 0);
}

static void test_swapped(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct annot_raw_batch *head = &(struct annot_raw_batch){ 0 };
	struct trace_event events[2];
	size_t bytes;

	add(&batch, __builtin_bswap64(2000), (int64_t)__builtin_bswap64(8), __builtin_bswap32(1),
	    ANNOT_OP_NEXT, 1);
	bytes = size_of(&batch);
	memcpy(head, &batch.batch, sizeof(*head));
	head->head.id = __builtin_bswap32(head->head.id);
	head->head.nr = __builtin_bswap16(head->head.nr);
	head->tgid = (int32_t)__builtin_bswap32((uint32_t)head->tgid);
	head->tid = (int32_t)__builtin_bswap32((uint32_t)head->tid);
	head->since.ticks = __builtin_bswap64(head->since.ticks);
	head->since.ns = __builtin_bswap64(head->since.ns);
	head->until.ticks = __builtin_bswap64(head->until.ticks);
	head->until.ns = __builtin_bswap64(head->until.ns);
	memcpy(&batch.batch, head, sizeof(*head));
	batch.common.type = __builtin_bswap16(batch.common.type);
	batch.common.pid = (int32_t)__builtin_bswap32(17);
	decoder_set_swap(fixture->decoder, true);
	assert_int_equal(decode_all(fixture, &batch, bytes, events, 2), 2);
	assert_annotation(fixture, &events[0], TRACE_SPAN_END, NOW_NS - 500, NULL);
	assert_annotation(fixture, &events[1], TRACE_SPAN_BEGIN, NOW_NS - 500, "name 1 of 1");
	assert_true(events[1].annot.value == 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_each_operation, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_clock_of_the_moments, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_for_another_thread, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_for_a_thread_that_ended, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_a_pid_namespace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_number_of_a_thread_that_ended, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_disputed_number, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_losses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_strangers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_swapped, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("raw data", tests, NULL, NULL);
}
