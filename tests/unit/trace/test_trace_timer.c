// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/decoding.c */
/*
 * Records of timers of high resolution -> events, by the formats of Linux 6.1 and of 6.18.
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

#define START 40
#define EXPIRE 41
#define DONE 42

static int set_up(void **state)
{
	(void)state;
	decoding_begin();
	decoder_add_format(decoder, "timer",
			   FORMAT("hrtimer_start", 40,
				  FIELD("void * hrtimer", 8, 8) FIELD("void * function", 16, 8)
					  FIELD("s64 expires", 24, 8)
						  FIELD("s64 softexpires", 32, 8)
							  FIELD("enum hrtimer_mode mode", 40, 4)));
	decoder_add_format(decoder, "timer",
			   FORMAT("hrtimer_expire_entry", 41,
				  FIELD("void * hrtimer", 8, 8) FIELD("s64 now", 16, 8)
					  FIELD("void * function", 24, 8)));
	decoder_add_format(decoder, "timer",
			   FORMAT("hrtimer_expire_exit", 42, FIELD("void * hrtimer", 8, 8)));
	return 0;
}

struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	uint64_t timer;
	uint64_t first;
	int64_t second;
	int64_t third;
	uint32_t mode;
};

static struct trace_event decode(struct record record)
{
	return decoding_of(&record, sizeof(record));
}

static void test_start(void **state)
{
	struct record record = { .type = START,
				 .pid = 7,
				 .timer = 0xffff888001234560,
				 .second = 5000050000,
				 .third = 5000000000 };
	struct trace_event event = decode(record);

	(void)state;
	assert_int_equal(event.kind, TRACE_TIMER_START);
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.timer.type, START);
	assert_int_equal(event.timer.id, 0xffff888001234560);
	assert_int_equal(event.timer.earliest_ns, 5000000000);
	assert_int_equal(event.timer.latest_ns, 5000050000);
	assert_false(event.timer.in_interrupt);
	record.flags = 0x08; /* a hardirq */
	assert_true(decode(record).timer.in_interrupt);
	record.flags = 0x10; /* a softirq */
	assert_true(decode(record).timer.in_interrupt);
	record.flags = 0x05; /* interrupts are off, a switch is due */
	assert_false(decode(record).timer.in_interrupt);
}

static void test_expire(void **state)
{
	struct record record = { .type = EXPIRE, .timer = 0x1230, .first = 5000060000 };
	struct trace_event event = decode(record);

	(void)state;
	assert_int_equal(event.kind, TRACE_TIMER_EXPIRE);
	assert_int_equal(event.timer.type, EXPIRE);
	assert_int_equal(event.timer.id, 0x1230);
	assert_int_equal(event.timer.now_ns, 5000060000);
	record.type = DONE;
	event = decode(record);
	assert_int_equal(event.kind, TRACE_TIMER_DONE);
	assert_int_equal(event.timer.id, 0x1230);
}

#define with_decoder(test) cmocka_unit_test_setup_teardown(test, set_up, decoding_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_decoder(test_start),
		with_decoder(test_expire),
	};

	return cmocka_run_group_tests_name("decoding of timers", tests, NULL, NULL);
}
