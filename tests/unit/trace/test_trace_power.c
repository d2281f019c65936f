// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/decoding.c */
/*
 * Records of cpu_idle and cpu_frequency -> events, by formats as kernels write them, of any byte order.
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

#define IRQS_OFF 0x01 /* of common_flags */
#define IDLE 20
#define FREQUENCY 21
#define ODD 22

static int set_up(void **state)
{
	(void)state;
	decoding_begin();
	decoder_add_format(decoder, "power",
			   FORMAT("cpu_idle", 20,
				  FIELD("u32 state", 8, 4) FIELD("u32 cpu_id", 12, 4)));
	decoder_add_format(decoder, "power",
			   FORMAT("cpu_frequency", 21,
				  FIELD("u32 state", 8, 4) FIELD("u32 cpu_id", 12, 4)));
	decoder_add_format(decoder, "other", FORMAT("cpu_idle", 22, FIELD("u32 state", 8, 4)));
	return 0;
}

struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	uint32_t state;
	uint32_t cpu;
};

static struct trace_event decode(struct record record)
{
	return decoding_of(&record, sizeof(record));
}

static void test_idle(void **state)
{
	struct trace_event event =
		decode((struct record){ .type = IDLE, .flags = IRQS_OFF, .state = 2, .cpu = 1 });

	(void)state;
	assert_int_equal(event.kind, TRACE_CPU_IDLE);
	assert_int_equal(event.tid, 0);
	assert_int_equal(event.power.value, 2);
	assert_int_equal(event.power.cpu, 1);
	assert_false(event.power.is_exit);
	assert_true(event.power.may_be_in_switch);
	event = decode((struct record){ .type = IDLE, .state = UINT32_MAX, .cpu = 1 });
	assert_true(event.power.is_exit);
	assert_false(event.power.may_be_in_switch);
}

static void test_frequency(void **state)
{
	struct trace_event event =
		decode((struct record){ .type = FREQUENCY, .pid = 7, .state = 3400000, .cpu = 3 });

	(void)state;
	assert_int_equal(event.kind, TRACE_CPU_FREQUENCY);
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.cpu, 1);
	assert_int_equal(event.power.value, 3400000);
	assert_int_equal(event.power.cpu, 3);
	/* No kernel writes that; it is a number like any. */
	event = decode((struct record){ .type = FREQUENCY, .state = UINT32_MAX, .cpu = 3 });
	assert_false(event.power.is_exit);
}

static void test_swapped(void **state)
{
	struct trace_event event;

	(void)state;
	decoder_set_swap(decoder, true);
	event = decode((struct record){ .type = FREQUENCY << 8,
					.pid = 7 << 24,
					.state = __builtin_bswap32(1200000),
					.cpu = 2u << 24 });
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.power.value, 1200000);
	assert_int_equal(event.power.cpu, 2);
}

/* Of another system, and too short. */
static void test_others(void **state)
{
	struct record record = { .type = FREQUENCY, .pid = 7 };
	const struct raw_record raw = { .data = (const uint8_t *)&record, .size = 12 };
	struct trace_event event = decode((struct record){ .type = ODD, .pid = 7 });

	(void)state;
	assert_int_equal(event.kind, TRACE_OTHER);
	assert_false(decoder_decode(decoder, &raw, &event));
	assert_int_equal(nr_damaged[TRACE_DAMAGED_OTHER], 1);
}

#define with_decoder(test) cmocka_unit_test_setup_teardown(test, set_up, decoding_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_decoder(test_idle),
		with_decoder(test_frequency),
		with_decoder(test_swapped),
		with_decoder(test_others),
	};

	return cmocka_run_group_tests_name("idle states and frequencies in traces", tests, NULL,
					   NULL);
}
