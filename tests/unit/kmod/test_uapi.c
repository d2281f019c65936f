// SPDX-License-Identifier: GPL-2.0
/*
 * The ABI between the module and programs, number by number. Programs that were compiled yesterday
 * have these in their code: a change here is a new ANNOT_ABI_VERSION. And what programs write
 * without the module, where a change is a new ANNOT_RAW_VERSION.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "trace/annot_raw.h"
#include "uapi/annot.h"

#define assert_member(type, member, offset, size)                           \
	do {                                                                \
		assert_int_equal(offsetof(struct type, member), offset);    \
		assert_int_equal(sizeof(((struct type *)0)->member), size); \
	} while (0)

static void record(void **state)
{
	(void)state;
	assert_member(annot_record, ticks, 0, 8);
	assert_member(annot_record, value, 8, 8);
	assert_true((__typeof__(((struct annot_record *)0)->value))-1 < 0);
	assert_member(annot_record, name, 16, 4);
	assert_member(annot_record, op, 20, 1);
	assert_member(annot_record, flags, 21, 1);
	assert_member(annot_record, reserved, 22, 2);
	assert_member(annot_record, reserved2, 24, 8);
	assert_int_equal(sizeof(struct annot_record), 32);
}

static void ring(void **state)
{
	(void)state;
	assert_member(annot_ring, head, 0, 8);
	assert_member(annot_ring, limit, 8, 8);
	assert_member(annot_ring, mask, 16, 8);
	assert_member(annot_ring, due, 24, 8);
	assert_member(annot_ring, dropped, 32, 8);
	assert_member(annot_ring, reserved, 40, 24);
	assert_int_equal(sizeof(struct annot_ring), 64);
}

static void control(void **state)
{
	(void)state;
	assert_member(annot_control, version, 0, 4);
	assert_member(annot_control, recording, 4, 4);
	assert_member(annot_control, clock, 8, 4);
	assert_member(annot_control, record_bytes, 12, 4);
	assert_member(annot_control, ring_bytes, 16, 4);
	assert_member(annot_control, oldest_version, 20, 4);
	assert_member(annot_control, features, 24, 4);
	assert_member(annot_control, reserved, 28, 36);
	assert_int_equal(sizeof(struct annot_control), 64);
}

static void name(void **state)
{
	(void)state;
	assert_member(annot_name, text, 0, 8);
	assert_member(annot_name, length_bytes, 8, 4);
	assert_member(annot_name, reserved, 12, 4);
	assert_int_equal(sizeof(struct annot_name), 16);
}

static void raw(void **state)
{
	(void)state;
	assert_member(annot_raw_head, id, 0, 4);
	assert_member(annot_raw_head, version, 4, 1);
	assert_member(annot_raw_head, kind, 5, 1);
	assert_member(annot_raw_head, nr, 6, 2);
	assert_member(annot_raw_head, process, 8, 8);
	assert_member(annot_raw_batch, tgid, 16, 4);
	assert_member(annot_raw_batch, tid, 20, 4);
	assert_member(annot_raw_batch, nr_lost, 24, 4);
	assert_member(annot_raw_batch, writer, 28, 4);
	assert_member(annot_raw_batch, since.ticks, 32, 8);
	assert_member(annot_raw_batch, since.ns, 40, 8);
	assert_member(annot_raw_batch, until.ticks, 48, 8);
	assert_member(annot_raw_batch, until.ns, 56, 8);
	assert_int_equal(offsetof(struct annot_raw_batch, records), 64);
	assert_member(annot_raw_record, ticks, 0, 8);
	assert_member(annot_raw_record, value, 8, 8);
	assert_member(annot_raw_record, name, 16, 4);
	assert_member(annot_raw_record, op, 20, 1);
	assert_member(annot_raw_record, flags, 21, 1);
	assert_member(annot_raw_record, reserved, 22, 2);
	assert_int_equal(sizeof(struct annot_raw_record), 24);
	assert_member(annot_raw_name, number, 0, 4);
	assert_member(annot_raw_name, nr_bytes, 4, 1);
	assert_int_equal(offsetof(struct annot_raw_name, text), 5);
	assert_int_equal(ANNOT_RAW_ID, 0x746f6e61);
	assert_int_equal(ANNOT_RAW_VERSION, 1);
	assert_int_equal(ANNOT_RAW_BATCH, 0);
	assert_int_equal(ANNOT_RAW_NAMES, 1);
	assert_int_equal(ANNOT_RAW_PADDING, 2);
}

static void numbers(void **state)
{
	(void)state;
	assert_int_equal(ANNOT_ABI_VERSION, 2);
	assert_int_equal(ANNOT_NAME_MAX_BYTES, 255);
	assert_int_equal(ANNOT_WRITE_MAX_BYTES, 65536);
	assert_int_equal(ANNOT_SPAN_WORK, 0);
	assert_int_equal(ANNOT_SPAN_WAIT, 1);
	assert_int_equal(ANNOT_RECORD_HAS_VALUE, 1);
	assert_int_equal(ANNOT_LOST_BAD_HEAD, 0);
	assert_int_equal(ANNOT_LOST_BAD_OP, 1);
	assert_int_equal(ANNOT_LOST_BAD_NAME, 2);
	assert_int_equal(ANNOT_LOST_BAD_TIME, 3);
	assert_int_equal(ANNOT_LOST_AT_EXEC, 4);
	assert_int_equal(ANNOT_LOST_NO_CLOCK, 5);
	assert_int_equal(ANNOT_LOST_DROPPED, 6);
	assert_int_equal(ANNOT_CLOCK_NONE, 0);
	assert_int_equal(ANNOT_CLOCK_TSC, 1);
	assert_int_equal(ANNOT_CLOCK_CNTVCT, 2);
	assert_int_equal(ANNOT_CLOCK_TIME, 3);
	assert_int_equal(ANNOT_RECORDING_OFF, 0);
	assert_int_equal(ANNOT_RECORDING_RINGS, 1);
	assert_int_equal(ANNOT_RECORDING_WRITES, 2);
	assert_int_equal(ANNOT_RECORDING_CALLS, 3);
	assert_int_equal(ANNOT_FEATURE_RINGS, 1);
	assert_int_equal(ANNOT_FEATURE_EVENTS, 2);
	assert_int_equal(ANNOT_FEATURE_CALLS, 4);
	assert_int_equal(ANNOT_DRAIN_OPEN, 0);
	assert_int_equal(ANNOT_DRAIN_CLOSED, 1);
	assert_int_equal(ANNOT_IOC_NAME, 0x401040a0);
	assert_int_equal(ANNOT_IOC_DRAIN, 0x40a1);
	assert_int_equal(ANNOT_IOC_RECORD, 0x402040a3);
	assert_int_equal(ANNOT_RECORD_TAKEN, 0xa3);
}

static void operations(void **state)
{
	(void)state;
	assert_int_equal(ANNOT_OP_BEGIN, 0);
	assert_int_equal(ANNOT_OP_WAIT_BEGIN, 1);
	assert_int_equal(ANNOT_OP_END, 2);
	assert_int_equal(ANNOT_OP_MARK, 3);
	assert_int_equal(ANNOT_OP_COUNTER, 4);
	assert_int_equal(ANNOT_OP_NEXT, 5);
}

/* Here, for the compiler complains if it has other numbers for the same names. */
#include "annot/annot.h"

static void public_header(void **state)
{
	(void)state;
	assert_int_equal(offsetof(struct annot_control_page, version),
			 offsetof(struct annot_control, version));
	assert_int_equal(offsetof(struct annot_control_page, recording),
			 offsetof(struct annot_control, recording));
	assert_int_equal(ANNOT_OP_HAS_VALUE >> 8, ANNOT_RECORD_HAS_VALUE);
#ifdef ANNOT_RSEQ_CLOCK
	assert_int_equal(annot_record_meta(ANNOT_OP_NEXT | ANNOT_OP_HAS_VALUE, 0x123456789abcdef0),
			 0x0000010500000000 | 0x9abcdef0);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(record),     cmocka_unit_test(ring),
		cmocka_unit_test(control),    cmocka_unit_test(name),
		cmocka_unit_test(raw),	      cmocka_unit_test(numbers),
		cmocka_unit_test(operations), cmocka_unit_test(public_header),
	};

	return cmocka_run_group_tests_name("uapi", tests, NULL, NULL);
}
