// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/decoding.c */
/*
 * Records of steps of CPU hotplug -> slices of who does them, and where a CPU stops and begins to run.
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

#define ENTER 50
#define EXIT 51

static char *read_symbols(void *context)
{
	(void)context;
	return strdup(
		"ffffffff81000000 t takedown_cpu\nffffffff81000100 t bringup_cpu\n"
		"ffffffff81000200 t cpuhp_kick_ap_alive\nffffffff81000300 t cpuhp_bringup_ap\n"
		"ffffffff81000400 T sched_cpu_deactivate\n");
}

static int set_up(void **state)
{
	(void)state;
	decoding_begin();
	decoder_use_symbols(decoder, read_symbols, NULL);
	decoder_add_format(decoder, "cpuhp",
			   FORMAT("cpuhp_enter", 50,
				  FIELD("unsigned int cpu", 8, 4) FIELD("int target", 12, 4)
					  FIELD("int idx", 16, 4) FIELD("void * fun", 24, 8)));
	decoder_add_format(decoder, "cpuhp",
			   FORMAT("cpuhp_exit", 51,
				  FIELD("unsigned int cpu", 8, 4) FIELD("int state", 12, 4)
					  FIELD("int idx", 16, 4) FIELD("int ret", 20, 4)));
	return 0;
}

static struct trace_event enter(uint64_t function)
{
	const struct {
		uint16_t type;
		uint8_t flags, preempt_count;
		int32_t pid;
		uint32_t cpu;
		int32_t target, step;
		uint64_t function;
	} record = { ENTER, 0, 0, 7, 3, 0, 86, function };
	struct trace_event event = decoding_of(&record, sizeof(record));

	assert_int_equal(event.kind, TRACE_KERNEL_BEGIN);
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_HOTPLUG);
	assert_int_equal(event.kernel.key, 3ull << 32 | 86);
	return event;
}

static void test_enter(void **state)
{
	struct trace_event event = enter(0xffffffff81000400);

	(void)state;
	assert_string_equal(string_table_get(strings, event.kernel.name), "sched_cpu_deactivate");
	assert_string_equal(string_table_get(strings, event.kernel.text),
			    "CPU 3, step 86 of the way to 0");
	assert_int_equal(event.kernel.level, 0);
	assert_int_equal(enter(0xffffffff81000000).kernel.level, TRACE_HOTPLUG_TAKES_DOWN);
	assert_int_equal(enter(0xffffffff81000100).kernel.level, TRACE_HOTPLUG_BRINGS_UP);
	assert_int_equal(enter(0xffffffff81000200).kernel.level, TRACE_HOTPLUG_BRINGS_UP);
	assert_int_equal(enter(0xffffffff81000300).kernel.level, TRACE_HOTPLUG_BRINGS_UP);
}

static void test_exit(void **state)
{
	const struct {
		uint16_t type;
		uint8_t flags, preempt_count;
		int32_t pid;
		uint32_t cpu;
		int32_t state, step, result;
	} record = { EXIT, 0, 0, 7, 3, 90, 86, -16 };
	struct trace_event event = decoding_of(&record, sizeof(record));

	(void)state;
	assert_int_equal(event.kind, TRACE_KERNEL_END);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_HOTPLUG);
	assert_int_equal(event.kernel.key, 3ull << 32 | 86);
	assert_true(event.kernel.has_value);
	assert_int_equal(event.kernel.value, -16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_enter, set_up, decoding_end),
		cmocka_unit_test_setup_teardown(test_exit, set_up, decoding_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
