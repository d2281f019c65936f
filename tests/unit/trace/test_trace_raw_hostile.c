// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/raw_events.c */
/*
 * What cannot be in trace_marker_raw, and is there all the same: damaged, or written to deceive.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "raw_events.h"
#include "uapi/annot.h"

static void test_names_that_cannot_be(void **state)
{
	struct fixture *fixture = *state;
	struct pmu_names_event event = pmu_names_event(PROCESS);
	size_t head = offsetof(struct pmu_names_event, names), bytes;
	struct trace_event none;

	bytes = put_name(event.names, 1, "name");
	event.head.nr = 2;
	decode_all(fixture, &event, head + bytes, &none, 1);
	assert_int_equal(nr_unreadable(fixture), 1);
	event.head.nr = 1;
	decode_all(fixture, &event, head + bytes, &none, 1);
	assert_int_equal(nr_unreadable(fixture), 1);
	decode_all(fixture, &event, head + bytes - 1, &none, 1);
	assert_int_equal(nr_unreadable(fixture), 2);
	decode_all(fixture, &event, head + 4, &none, 1);
	assert_int_equal(nr_unreadable(fixture), 3);
	event.names[4] = 0;
	decode_all(fixture, &event, head + bytes, &none, 1);
	assert_int_equal(nr_unreadable(fixture), 4);
	event.head.nr = 0;
	decode_all(fixture, &event, head, &none, 1);
	assert_int_equal(nr_unreadable(fixture), 4);
}

static void test_tids_that_cannot_be(void **state)
{
	static const int32_t tids[] = { 0, -1, INT32_MIN, 1 << 22, INT32_MAX };
	struct fixture *fixture = *state;
	struct trace_event event;

	for (size_t i = 0; i < sizeof(tids) / sizeof(tids[0]); i++) {
		struct batch_event batch = batch_event();

		add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
		batch.batch.tid = tids[i];
		assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
		batch.common.pid = tids[i];
		assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	}
	assert_int_equal(nr_unreadable(fixture), 2 * sizeof(tids) / sizeof(tids[0]));
}

static void test_more_than_there_are(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[2];
	size_t bytes;

	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	bytes = size_of(&batch);
	batch.batch.head.nr = UINT16_MAX;
	assert_int_equal(decode_all(fixture, &batch, bytes, events, 2), 2);
	assert_int_equal(nr_unreadable(fixture), 1);
	batch.batch.head.nr = 2;
	assert_int_equal(decode_all(fixture, &batch, bytes - 1, events, 2), 1);
	assert_int_equal(nr_unreadable(fixture), 2);
	batch.batch.head.nr = 1;
	assert_int_equal(decode_all(fixture, &batch, bytes, events, 2), 1);
	assert_int_equal(nr_unreadable(fixture), 2);
}

static void test_clocks_that_cannot_be(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[4];

	/* outside of the stretch: moved to its ends */
	add(&batch, 999, 0, 0, ANNOT_OP_END, 0);
	add(&batch, 0, 0, 0, ANNOT_OP_END, 0);
	add(&batch, 3001, 0, 0, ANNOT_OP_END, 0);
	add(&batch, UINT64_MAX, 0, 0, ANNOT_OP_END, 0);
	assert_int_equal(decode_batch(fixture, &batch, events, 4), 4);
	assert_annotation(fixture, &events[0], TRACE_SPAN_END, NOW_NS - 1000, NULL);
	assert_annotation(fixture, &events[1], TRACE_SPAN_END, NOW_NS - 1000, NULL);
	assert_annotation(fixture, &events[2], TRACE_SPAN_END, NOW_NS, NULL);
	assert_annotation(fixture, &events[3], TRACE_SPAN_END, NOW_NS, NULL);
	assert_int_equal(fixture->counts.nr_altered, 4);
	/* longer than all time so far */
	batch.batch.until.ns = INT64_MAX;
	batch.batch.head.nr = 1;
	assert_int_equal(decode_batch(fixture, &batch, events, 4), 1);
	assert_annotation(fixture, &events[0], TRACE_SPAN_END, NOW_NS, NULL);
	/* of no length */
	batch.batch.since = batch.batch.until;
	batch.records[0].ticks = batch.batch.until.ticks;
	assert_int_equal(decode_batch(fixture, &batch, events, 4), 1);
	assert_annotation(fixture, &events[0], TRACE_SPAN_END, NOW_NS, NULL);
	assert_int_equal(nr_unreadable(fixture), 0);
	/* backwards */
	batch.batch.since.ticks++;
	assert_int_equal(decode_batch(fixture, &batch, events, 4), 0);
	batch.batch.since.ticks--;
	batch.batch.since.ns++;
	assert_int_equal(decode_batch(fixture, &batch, events, 4), 0);
	batch.batch.since.ns--;
	batch.batch.until.ns = UINT64_MAX;
	assert_int_equal(decode_batch(fixture, &batch, events, 4), 0);
	assert_int_equal(nr_unreadable(fixture), 3);
}

static void test_operations_that_cannot_be(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event events[4];

	add(&batch, 2000, 0, 0, ANNOT_OP_NEXT + 1, 0);
	add(&batch, 2000, 0, 0, 255, 0);
	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0xfe);
	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	batch.records[3].reserved = 1;
	assert_int_equal(decode_batch(fixture, &batch, events, 4), 1);
	assert_int_equal(nr_unreadable(fixture), 3);
	assert_int_equal(fixture->counts.nr_altered, 1);
}

static void test_other_versions(void **state)
{
	struct fixture *fixture = *state;
	struct batch_event batch = batch_event();
	struct trace_event event;

	add(&batch, 2000, 0, 0, ANNOT_OP_END, 0);
	batch.batch.head.kind = ANNOT_RAW_PADDING;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 0);
	batch.batch.head.kind++;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	batch.batch.head.kind = ANNOT_RAW_BATCH;
	batch.batch.head.version++;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 0);
	assert_int_equal(nr_unreadable(fixture), 2);
	batch.batch.head.version--;
	assert_int_equal(decode_batch(fixture, &batch, &event, 1), 1);
	/* cut off anywhere: one is missed */
	for (size_t bytes = 12; bytes < size_of(&batch); bytes++) {
		assert_int_equal(decode_all(fixture, &batch, bytes, &event, 1), 0);
		assert_int_equal(nr_unreadable(fixture), bytes - 9);
	}
}

static uint32_t next_random(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 8;
}

/* Whatever the bytes, what comes out is of the thread that wrote them, or counted, or nothing. */
static void test_any_bytes(void **state)
{
	struct fixture *fixture = *state;

	for (int round = 0; round < 200000; round++) {
		struct batch_event batch = batch_event();
		struct trace_event events[2 * MAX_RECORDS];
		size_t bytes, nr;

		for (uint32_t i = next_random() % 4; i; i--)
			add(&batch, next_random() % 4000, next_random(), next_random() % 3,
			    (uint8_t)(next_random() % 7), (uint8_t)(next_random() % 3));
		bytes = size_of(&batch);
		for (uint32_t i = next_random() % 6; i; i--)
			((uint8_t *)&batch)[8 + next_random() % (bytes - 8)] =
				(uint8_t)next_random();
		nr = decode_all(fixture, &batch, 8 + next_random() % (bytes - 7), events,
				2 * MAX_RECORDS);
		for (size_t i = 0; i < nr; i++) {
			assert_int_equal(events[i].tid, 17);
			assert_int_equal(events[i].annot.owner_tid, 0);
			assert_true(events[i].annot.true_ns <= NOW_NS);
		}
	}
	assert_in_range(fixture->counts.nr_lost, 1000, UINT64_MAX - 1);
	assert_in_range(string_table_count(fixture->strings), 1, 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names_that_cannot_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_tids_that_cannot_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_more_than_there_are, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_clocks_that_cannot_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_operations_that_cannot_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_versions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_any_bytes, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("hostile raw data", tests, NULL, NULL);
}
