// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/decoding.c */
/*
 * Records of what is done to threads -> marks of these: inherited priorities, moves to cgroups.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "decoding.h"
#include "trace/decode/decoder.h"

#define PRIORITY 40
#define MOVE 41

static int set_up(void **state)
{
	(void)state;
	decoding_begin();
	decoder_add_format(decoder, "sched",
			   FORMAT("sched_pi_setprio", 40,
				  FIELD("char comm[16]", 8, 16) FIELD("pid_t pid", 24, 4)
					  FIELD("int oldprio", 28, 4) FIELD("int newprio", 32, 4)));
	decoder_add_format(decoder, "cgroup",
			   FORMAT("cgroup_attach_task", 41,
				  FIELD("int dst_root", 8, 4) FIELD("int dst_level", 12, 4)
					  FIELD("u64 dst_id", 16, 8) FIELD("int pid", 24, 4)
						  FIELD("__data_loc char[] dst_path", 28, 4)
							  FIELD("__data_loc char[] comm", 32, 4)));
	return 0;
}

static void assert_mark(struct trace_event event, enum trace_kernel_kind kind, int32_t of_tid,
			const char *name, const char *text)
{
	assert_int_equal(event.kind, TRACE_KERNEL_MARK);
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.kernel.kind, kind);
	assert_int_equal(event.kernel.of_tid, of_tid);
	assert_string_equal(string_table_get(strings, event.kernel.name), name);
	assert_string_equal(string_table_get(strings, event.kernel.text), text);
	assert_false(event.kernel.has_value);
}

static void assert_priority(int32_t pid, int32_t before, int32_t now, const char *text)
{
	const struct {
		uint16_t type;
		uint8_t flags, preempt_count;
		int32_t by;
		char comm[16];
		int32_t pid, before, now;
	} record = { PRIORITY, 0, 0, 7, "holder", pid, before, now };

	assert_mark(decoding_of(&record, sizeof(record)), TRACE_KERNEL_PRIORITY, pid,
		    "priority inheritance", text);
}

static void test_priority(void **state)
{
	(void)state;
	assert_priority(8, 125, 49, "nice 5 to real-time priority 50, by thread 7");
	assert_priority(8, 49, -1, "real-time priority 50 to deadline, by thread 7");
	/* It gives back what it inherited. */
	assert_priority(7, 0, 100, "real-time priority 99 to nice -20");
	/* No kernel says so. */
	assert_priority(8, INT32_MIN, INT32_MAX, "deadline to nice 2147483527, by thread 7");
}

static void test_move(void **state)
{
	struct {
		uint16_t type;
		uint8_t flags, preempt_count;
		int32_t by;
		int32_t root, level;
		uint64_t id;
		int32_t pid;
		uint32_t path, comm;
		char texts[32];
	} record = { MOVE, 0, 0, 7, 1, 2, 99, 8, 36 | 12 << 16, 48 | 4 << 16, "/user/a b/c\0abc" };

	(void)state;
	assert_mark(decoding_of(&record, sizeof(record)), TRACE_KERNEL_CGROUP, 8, "moved to cgroup",
		    "/user/a b/c, by thread 7");
	/* A path that is not in the record. */
	record.path = 36 | 100 << 16;
	assert_mark(decoding_of(&record, sizeof(record)), TRACE_KERNEL_CGROUP, 8, "moved to cgroup",
		    ", by thread 7");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_priority, set_up, decoding_end),
		cmocka_unit_test_setup_teardown(test_move, set_up, decoding_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
