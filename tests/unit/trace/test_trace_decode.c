// SPDX-License-Identifier: GPL-2.0
/*
 * Records -> events, by formats as kernels write them.
 */
#include <byteswap.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "trace/decode/decoder.h"
#include "trace/file/event_format.h"

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"

/* Linux 6.x */
#define SWITCH_FIELDS                                                    \
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"  \
	"\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"      \
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"       \
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"     \
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n" \
	"\tfield:pid_t next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"      \
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\n"
static const char switch_format[] =
	"name: sched_switch\nID: 316\n" COMMON SWITCH_FIELDS
	"print fmt: \"prev_comm=%s ==> next_pid=%d\", REC->prev_comm, (REC->prev_state & 0xff) ? "
	"__print_flags(REC->prev_state & 0xff, \"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }, "
	"{ 0x00000004, \"T\" }, { 0x00000008, \"t\" }, { 0x00000010, \"X\" }, "
	"{ 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\"\n";

/* Linux 3.x: other bits for the dead, and a bit that says more of what a sleeper waits for. */
static const char old_switch_format[] =
	"name: sched_switch\nID: 316\n" COMMON SWITCH_FIELDS
	"print fmt: \"prev_state=%s\", REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & "
	"(1024-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, { 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, "
	"{ 32, \"X\" }, { 64, \"x\" }, { 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }) : \"R\"\n";

struct fixture {
	struct string_table *strings;
	struct decoder *decoder;
	struct trace_annotation_counts counts;
	uint64_t nr_damaged[NR_TRACE_DAMAGES];
};

static int set_up(void **state)
{
	static struct fixture fixture;

	fixture.strings = string_table_new();
	fixture.decoder = decoder_new(fixture.strings, &fixture.counts, fixture.nr_damaged);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	decoder_free(fixture->decoder);
	string_table_free(fixture->strings);
	return 0;
}

/* A record as a struct in the test. */
static struct raw_record record_of(const void *data, size_t size)
{
	return (struct raw_record){ .data = data, .size = (uint32_t)size };
}

#define decode(fixture, data, event)                                          \
	({                                                                    \
		struct raw_record record_ = record_of(&(data), sizeof(data)); \
		decoder_decode((fixture)->decoder, &record_, event);          \
	})

static void assert_string(const struct fixture *fixture, uint32_t id, const char *string)
{
	assert_string_equal(string_table_get(fixture->strings, id), string);
}

struct common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

struct switch_record {
	struct common common;
	char prev_comm[16];
	int32_t prev_pid;
	int32_t prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid;
	int32_t next_prio;
};

static enum trace_switch_reason reason_of(const struct fixture *fixture, int64_t prev_state)
{
	struct switch_record data = { .common = { .type = 316, .pid = 7 },
				      .prev_state = prev_state };
	struct trace_event event;

	assert_true(decode(fixture, data, &event));
	return event.sw.reason;
}

static void test_switch(void **state)
{
	const struct fixture *fixture = *state;
	struct switch_record data = { .common = { .type = 316, .pid = 7 },
				      .prev_comm = "pe0",
				      .prev_pid = 7,
				      .next_comm = "0123456789abcde",
				      .next_pid = 8,
				      .next_prio = 120 };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "sched", switch_format);
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_SWITCH);
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.sw.next_tid, 8);
	assert_string(fixture, event.sw.prev_comm, "pe0");
	assert_string(fixture, event.sw.next_comm, "0123456789abcde");
	assert_int_equal(event.sw.reason, TRACE_OUT_RUNNABLE);
	assert_int_equal(event.sw.next_priority, 120 + TRACE_PRIORITY_OFFSET);
}

static uint8_t priority_of(const struct fixture *fixture, int32_t next_prio)
{
	struct switch_record data = { .common = { .type = 316, .pid = 7 }, .next_prio = next_prio };
	struct trace_event event;

	assert_true(decode(fixture, data, &event));
	return event.sw.next_priority;
}

static void test_priorities(void **state)
{
	const struct fixture *fixture = *state;

	decoder_add_format(fixture->decoder, "sched", switch_format);
	for (int prio = -1; prio < 140; prio++)
		assert_int_equal(priority_of(fixture, prio), prio + TRACE_PRIORITY_OFFSET);
	assert_int_equal(priority_of(fixture, -2), TRACE_PRIORITY_UNKNOWN);
	assert_int_equal(priority_of(fixture, 140), TRACE_PRIORITY_UNKNOWN);
	assert_int_equal(priority_of(fixture, INT32_MAX), TRACE_PRIORITY_UNKNOWN);
}

static void test_states(void **state)
{
	const struct fixture *fixture = *state;

	decoder_add_format(fixture->decoder, "sched", switch_format);
	assert_int_equal(reason_of(fixture, 0x00), TRACE_OUT_RUNNABLE);
	assert_int_equal(reason_of(fixture, 0x100), TRACE_OUT_RUNNABLE);
	assert_int_equal(reason_of(fixture, 0x01), TRACE_OUT_SLEEPING);
	assert_int_equal(reason_of(fixture, 0x02), TRACE_OUT_UNINTERRUPTIBLE);
	assert_int_equal(reason_of(fixture, 0x04), TRACE_OUT_STOPPED);
	assert_int_equal(reason_of(fixture, 0x08), TRACE_OUT_STOPPED);
	assert_int_equal(reason_of(fixture, 0x10), TRACE_OUT_DEAD);
	assert_int_equal(reason_of(fixture, 0x20), TRACE_OUT_DEAD);
	assert_int_equal(reason_of(fixture, 0x40), TRACE_OUT_SLEEPING);
	assert_int_equal(reason_of(fixture, 0x80), TRACE_OUT_SLEEPING);
}

static void test_states_of_an_old_kernel(void **state)
{
	const struct fixture *fixture = *state;

	decoder_add_format(fixture->decoder, "sched", old_switch_format);
	assert_int_equal(reason_of(fixture, 1), TRACE_OUT_SLEEPING);
	assert_int_equal(reason_of(fixture, 16), TRACE_OUT_DEAD);
	assert_int_equal(reason_of(fixture, 64), TRACE_OUT_DEAD);
	assert_int_equal(reason_of(fixture, 2 | 128), TRACE_OUT_UNINTERRUPTIBLE);
	assert_int_equal(reason_of(fixture, 512), TRACE_OUT_SLEEPING);
	assert_int_equal(reason_of(fixture, 1024), TRACE_OUT_RUNNABLE);
}

/* The same switch as test_switch(), and where it leaves the plain way: each tells the same. */
static void test_switch_of_another_machine(void **state)
{
	const struct fixture *fixture = *state;
	struct switch_record data = { .common = { .type = bswap_16(316), .pid = bswap_32(7) },
				      .prev_comm = "pe0",
				      .prev_pid = bswap_32(7),
				      .prev_state = (int64_t)bswap_64(2),
				      .next_comm = "0123456789abcde",
				      .next_pid = bswap_32(8),
				      .next_prio = (int32_t)bswap_32(98) };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "sched", switch_format);
	decoder_set_swap(fixture->decoder, true);
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.sw.next_tid, 8);
	assert_string(fixture, event.sw.prev_comm, "pe0");
	assert_string(fixture, event.sw.next_comm, "0123456789abcde");
	assert_int_equal(event.sw.reason, TRACE_OUT_UNINTERRUPTIBLE);
	assert_int_equal(event.sw.next_priority, 98 + TRACE_PRIORITY_OFFSET);
}

/* Nor does every kernel tell a priority. */
static void test_switch_of_32_bits(void **state)
{
	const struct fixture *fixture = *state;
	struct {
		struct common common;
		char prev_comm[16];
		int32_t prev_pid;
		int32_t prev_state;
		char next_comm[16];
		int32_t next_pid;
	} data = { .common = { .type = 316, .pid = 7 },
		   .prev_comm = "pe0",
		   .prev_pid = 7,
		   .prev_state = 2,
		   .next_comm = "pe1",
		   .next_pid = 8 };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "sched",
			   "name: sched_switch\nID: 316\n" COMMON
			   "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			   "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			   "\tfield:long prev_state;\toffset:28;\tsize:4;\tsigned:1;\n"
			   "\tfield:char next_comm[16];\toffset:32;\tsize:16;\tsigned:0;\n"
			   "\tfield:pid_t next_pid;\toffset:48;\tsize:4;\tsigned:1;\n\n");
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.sw.next_tid, 8);
	assert_string(fixture, event.sw.prev_comm, "pe0");
	assert_string(fixture, event.sw.next_comm, "pe1");
	assert_int_equal(event.sw.reason, TRACE_OUT_UNINTERRUPTIBLE);
	assert_int_equal(event.sw.next_priority, TRACE_PRIORITY_UNKNOWN);
}

static void test_too_short(void **state)
{
	const struct fixture *fixture = *state;
	struct switch_record data = { .common = { .type = 316 } };
	struct raw_record record = record_of(&data, sizeof(data));
	struct trace_event event;

	decoder_add_format(fixture->decoder, "sched", switch_format);
	assert_true(decoder_decode(fixture->decoder, &record, &event));
	record.size--;
	assert_false(decoder_decode(fixture->decoder, &record, &event));
	record.size = 1;
	assert_false(decoder_decode(fixture->decoder, &record, &event));
}

/* Of what nothing else is known, it is who ran, once any format tells where that stands. */
static void test_unknown_events(void **state)
{
	const struct fixture *fixture = *state;
	struct switch_record data = { .common = { .type = 316, .pid = 7 } };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "sched", "");
	assert_false(decode(fixture, data, &event));
	assert_string_equal(decoder_event_name(fixture->decoder, 316), "");
	/* Another system's event. */
	decoder_add_format(fixture->decoder, "ours", switch_format);
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_OTHER);
	assert_int_equal(event.other.type, 316);
	assert_string_equal(decoder_event_name(fixture->decoder, 316), "ours:sched_switch");
	/* One whose field is missing, and one without a number. */
	decoder_add_format(fixture->decoder, "sched", "name: sched_switch\nID: 316\n" COMMON);
	decoder_add_format(fixture->decoder, "sched", "name: sched_switch\nID: -1\n" COMMON);
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_OTHER);
	assert_int_equal(event.tid, 7);
}

/* As the kernel's flags have it: interrupts off, in a hard or a soft one, in one that cannot be masked. */
static bool is_sure(const struct fixture *fixture, uint8_t flags)
{
	struct common data = { .type = 77, .flags = flags, .pid = 7 };
	struct trace_event event;

	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_OTHER);
	assert_int_equal(event.tid, 7);
	return !event.other.may_be_in_switch;
}

static void test_other_events(void **state)
{
	const struct fixture *fixture = *state;
	struct common data = { .type = 77, .pid = 7 };
	struct raw_record record = record_of(&data, sizeof(data) - 1);
	struct trace_event event;

	decoder_add_format(fixture->decoder, "sched", switch_format);
	assert_true(is_sure(fixture, 0));
	assert_true(is_sure(fixture, 0x04)); /* to be preempted */
	assert_true(is_sure(fixture, 0x10));
	assert_true(is_sure(fixture, 0x01 | 0x08));
	assert_false(is_sure(fixture, 0x01));
	assert_false(is_sure(fixture, 0x01 | 0x10));
	assert_false(is_sure(fixture, 0x02));
	assert_false(is_sure(fixture, 0x01 | 0x08 | 0x40));
	assert_false(decoder_decode(fixture->decoder, &record, &event));
	data.pid = (int32_t)bswap_32(7);
	decoder_set_swap(fixture->decoder, true);
	record.size++;
	assert_true(decoder_decode(fixture->decoder, &record, &event));
	assert_int_equal(event.tid, 7);
}

/* A name given as a place in the record, counted from its start or from behind the field. */
static void begin_by(const struct fixture *fixture, const char *location, uint32_t offset)
{
	char format[2048];
	struct {
		struct common common;
		int64_t value;
		int32_t tgid;
		uint8_t kind;
		uint8_t has_value;
		uint16_t pad;
		uint32_t name;
		char text[8];
	} data = { .common = { .type = 400, .pid = 17 },
		   .value = -3,
		   .tgid = 16,
		   .kind = 1,
		   .has_value = 1,
		   .text = "barrier" };
	struct trace_event event;

	snprintf(format, sizeof(format),
		 "name: annot_begin\nID: 400\n" COMMON
		 "\tfield:s64 value;\toffset:8;\tsize:8;\tsigned:1;\n"
		 "\tfield:s32 tgid;\toffset:16;\tsize:4;\tsigned:1;\n"
		 "\tfield:u8 kind;\toffset:20;\tsize:1;\tsigned:0;\n"
		 "\tfield:u8 has_value;\toffset:21;\tsize:1;\tsigned:0;\n"
		 "\tfield:%s char[] name;\toffset:24;\tsize:4;\tsigned:0;\n",
		 location);
	decoder_add_format(fixture->decoder, "annot", format);
	data.name = 8u << 16 | offset;
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_SPAN_BEGIN);
	assert_int_equal(event.tid, 17);
	assert_string(fixture, event.annot.name, "barrier");
	assert_int_equal(event.annot.span_kind, TRACE_SPAN_WAIT);
	assert_true(event.annot.has_value);
	assert_true(event.annot.value == -3);
	assert_int_equal(event.annot.tgid, 16);
	/* A place that is not in the record is no string. */
	data.name = 13u << 16 | offset;
	assert_true(decode(fixture, data, &event));
	assert_string(fixture, event.annot.name, "");
	data.name = 0xffffffff;
	assert_true(decode(fixture, data, &event));
	assert_string(fixture, event.annot.name, "");
}

#define STACK_FORMAT(all)                                                                         \
	"name: kernel_stack\nID: 4\n" COMMON "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n" \
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:" all ";\tsigned:0;\n\n"              \
	"print fmt: \"\", 0\n"

struct stack_record {
	struct common common;
	int32_t size;
	int32_t hole;
	union {
		uint64_t words[4];
		uint32_t halves[8];
	} caller;
};

static int nr_resolved;

static struct trace_stack_text resolve_stack(void *context, const uint64_t *ips, size_t nr)
{
	struct trace_stack_text shown = { 0 };

	nr_resolved++;
	assert_ptr_equal(context, &nr_resolved);
	assert_true(asprintf(&shown.frames, "%zu from %llx", nr, (unsigned long long)ips[0]) > 0);
	if (ips[0] == 0x1000)
		assert_true(asprintf(&shown.cause, "one") > 0);
	return shown;
}

static void expect_stack(const struct fixture *fixture, const struct stack_record *data,
			 size_t bytes, const char *frames, const char *cause)
{
	struct raw_record record = record_of(data, bytes);
	struct trace_event event;

	assert_true(decoder_decode(fixture->decoder, &record, &event));
	assert_int_equal(event.kind, TRACE_KERNEL_STACK);
	assert_int_equal(event.tid, 7);
	assert_string(fixture, event.stack.frames, frames);
	assert_string(fixture, event.stack.cause, cause);
}

/* Fewer frames than the format's, more than there are, kernels that mark the end, 32 bits, another byte order. */
static void test_kernel_stack(void **state)
{
	const struct fixture *fixture = *state;
	struct stack_record data = { .common = { .type = 4, .flags = 1, .pid = 7 }, .size = 2 };
	struct raw_record record = record_of(&data, sizeof(data));
	uint64_t nr_damaged = fixture->nr_damaged[TRACE_DAMAGED_OTHER];
	struct trace_event event;

	decoder_add_format(fixture->decoder, "ftrace", STACK_FORMAT("64"));
	data.caller.words[0] = 0x1000;
	data.caller.words[1] = 0x2000;
	expect_stack(fixture, &data, 32, "0x1000 < 0x2000", "");
	decoder_resolve_stacks(fixture->decoder, resolve_stack, &nr_resolved);
	data.caller.words[1] = 0x3000;
	expect_stack(fixture, &data, 32, "2 from 1000", "one");
	expect_stack(fixture, &data, 32, "2 from 1000", "one");
	assert_int_equal(nr_resolved, 1);
	data.size = 1000000;
	expect_stack(fixture, &data, 24, "1 from 1000", "one");
	data.size = 2;
	expect_stack(fixture, &data, 24, "1 from 1000", "one");
	data.size = 4;
	data.caller.words[0] = 0x4000;
	data.caller.words[1] = UINT64_MAX;
	expect_stack(fixture, &data, 48, "1 from 4000", "");
	assert_int_equal(fixture->nr_damaged[TRACE_DAMAGED_OTHER], nr_damaged);
	data.size = -1;
	assert_false(decoder_decode(fixture->decoder, &record, &event));
	record.size = 12;
	assert_false(decoder_decode(fixture->decoder, &record, &event));
	assert_int_equal(fixture->nr_damaged[TRACE_DAMAGED_OTHER], nr_damaged + 2);
}

static void test_kernel_stack_of_32_bits(void **state)
{
	const struct fixture *fixture = *state;
	struct stack_record data = { .common = { .type = bswap_16(4), .pid = (int32_t)bswap_32(7) },
				     .size = (int32_t)bswap_32(3) };

	decoder_set_swap(fixture->decoder, true);
	decoder_add_format(fixture->decoder, "ftrace", STACK_FORMAT("32"));
	data.caller.halves[0] = bswap_32(0xc0001000);
	data.caller.halves[1] = bswap_32(0xc0002000);
	data.caller.halves[2] = UINT32_MAX;
	expect_stack(fixture, &data, 28, "0xc0001000 < 0xc0002000", "");
}

#define USER_STACK_FORMAT                                             \
	"name: user_stack\nID: 12\n" COMMON                           \
	"\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\nprint fmt: \"\", 0\n"

static void expect_frames(const struct fixture *fixture, uint32_t id, const uint64_t *ips,
			  size_t nr)
{
	const struct trace_stack stack = stack_table_get(decoder_stacks(fixture->decoder), id);

	assert_int_equal(stack.nr, nr);
	if (nr)
		assert_memory_equal(stack.ips, ips, nr * sizeof(*ips));
}

/* Zeros stand behind the outermost frame. Equal stacks of two processes are two. */
static void test_user_stack(void **state)
{
	const struct fixture *fixture = *state;
	struct {
		struct common common;
		uint32_t tgid;
		uint32_t hole;
		uint64_t caller[8];
	} data = { .common = { .type = 12, .flags = 1, .pid = 7 },
		   .tgid = 6,
		   .caller = { 3, 2, 1 } };
	struct raw_record record = record_of(&data, sizeof(data));
	struct trace_event event;
	uint32_t first;

	decoder_add_format(fixture->decoder, "ftrace", USER_STACK_FORMAT);
	assert_true(decoder_decode(fixture->decoder, &record, &event));
	assert_int_equal(event.kind, TRACE_USER_STACK);
	assert_int_equal(event.tid, 7);
	assert_true(event.stack.may_be_in_switch);
	first = event.stack.id;
	expect_frames(fixture, first, data.caller, 3);
	assert_int_equal(stack_table_get(decoder_stacks(fixture->decoder), first).tgid, 6);
	assert_true(decoder_decode(fixture->decoder, &record, &event));
	assert_int_equal(event.stack.id, first);
	data.tgid = 8;
	record = record_of(&data, sizeof(data));
	assert_true(decoder_decode(fixture->decoder, &record, &event));
	assert_int_not_equal(event.stack.id, first);
	for (size_t i = 0; i < 8; i++)
		data.caller[i] = i + 1;
	record = record_of(&data, sizeof(data));
	assert_true(decoder_decode(fixture->decoder, &record, &event));
	expect_frames(fixture, event.stack.id, data.caller, 8);
	data.caller[0] = 0;
	record = record_of(&data, sizeof(data));
	assert_true(decoder_decode(fixture->decoder, &record, &event));
	assert_int_equal(event.stack.id, 0);
}

#define BLOCKED_FORMAT                                                                             \
	"name: annot_blocked\nID: 5\n" COMMON "\tfield:u64 arg0;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:u64 arg1;\toffset:16;\tsize:8;\tsigned:0;\n"                                      \
	"\tfield:u64 object;\toffset:24;\tsize:8;\tsigned:0;\n"                                    \
	"\tfield:s32 nr;\toffset:32;\tsize:4;\tsigned:1;\n"                                        \
	"\tfield:s32 holder;\toffset:36;\tsize:4;\tsigned:1;\n"                                    \
	"\tfield:u32 detail;\toffset:40;\tsize:4;\tsigned:0;\n"                                    \
	"\tfield:__data_loc char[] name;\toffset:44;\tsize:4;\tsigned:0;\n"                        \
	"\tfield:u8 what;\toffset:48;\tsize:1;\tsigned:0;\n"                                       \
	"\tfield:u8 flags;\toffset:49;\tsize:1;\tsigned:0;\n\n"                                    \
	"print fmt: \"\", 0\n"

struct blocked_record {
	struct common common;
	uint64_t arg0;
	uint64_t arg1;
	uint64_t object;
	int32_t nr;
	int32_t holder;
	uint32_t detail;
	uint32_t name;
	uint8_t what;
	uint8_t flags;
	char text[14];
};

static struct trace_event decode_blocked(const struct fixture *fixture, struct blocked_record data)
{
	struct raw_record record = record_of(&data, sizeof(data));
	struct trace_event event;

	data.common = (struct common){ .type = 5, .flags = 1, .pid = 7 };
	data.name = (uint32_t)(strlen(data.text) + 1) << 16 |
		    (uint32_t)offsetof(struct blocked_record, text);
	assert_true(decoder_decode(fixture->decoder, &record, &event));
	assert_int_equal(event.kind, TRACE_BLOCKED);
	assert_int_equal(event.tid, 7);
	return event;
}

static void test_blocked(void **state)
{
	const struct fixture *fixture = *state;
	struct trace_event event;

	decoder_set_machine(fixture->decoder, "x86_64");
	decoder_add_format(fixture->decoder, "annot", BLOCKED_FORMAT);
	event = decode_blocked(fixture, (struct blocked_record){ .nr = 0,
								 .object = 1234,
								 .what = ANNOT_BLOCKED_PIPE,
								 .flags = 2 });
	assert_string(fixture, event.blocked.system_call, "read");
	assert_string(fixture, event.blocked.cause, "pipe read");
	assert_string(fixture, event.blocked.cause_if_stopped, "stopped");
	assert_string(fixture, event.blocked.object, "pipe:[1234]");
	assert_int_equal(event.blocked.object_id, 1234);
	assert_false(event.blocked.is_of_process);
	event = decode_blocked(fixture, (struct blocked_record){ .nr = 202,
								 .arg1 = 128,
								 .object = 0x7f0000001000,
								 .holder = 12,
								 .what = ANNOT_BLOCKED_FUTEX,
								 .flags = 2 });
	assert_string(fixture, event.blocked.cause, "futex");
	assert_string(fixture, event.blocked.object, "futex 0x7f0000001000");
	assert_int_equal(event.blocked.holder_tid, 12);
	assert_true(event.blocked.is_of_process);
	event = decode_blocked(fixture, (struct blocked_record){ .nr = 73,
								 .object = 5,
								 .what = ANNOT_BLOCKED_FILE,
								 .flags = 2,
								 .text = "lock" });
	assert_string(fixture, event.blocked.cause, "file lock");
	assert_string(fixture, event.blocked.object, "lock");
	event = decode_blocked(fixture, (struct blocked_record){ .detail = 136 << 8 | 1,
								 .object = 4,
								 .what = ANNOT_BLOCKED_CHAR_DEVICE,
								 .flags = 2,
								 .text = "1" });
	assert_string(fixture, event.blocked.cause, "terminal read");
}

/* In no call, in one of a 32-bit program, in one that is not known: what is not told is not there. */
static void test_blocked_in_little(void **state)
{
	const struct fixture *fixture = *state;
	struct trace_event event;

	decoder_set_machine(fixture->decoder, "x86_64");
	decoder_add_format(fixture->decoder, "annot", BLOCKED_FORMAT);
	event = decode_blocked(fixture, (struct blocked_record){ .nr = -1 });
	assert_int_equal(event.blocked.system_call, TRACE_NO_STRING);
	assert_string(fixture, event.blocked.cause, "exception");
	assert_int_equal(event.blocked.object, TRACE_NO_STRING);
	assert_int_equal(event.blocked.holder_tid, 0);
	event = decode_blocked(fixture,
			       (struct blocked_record){ .nr = 240, .flags = ANNOT_BLOCKED_COMPAT });
	assert_string(fixture, event.blocked.system_call, "futex");
	event = decode_blocked(fixture, (struct blocked_record){ .nr = 5000 });
	assert_string(fixture, event.blocked.system_call, "system call 5000");
	assert_string(fixture, event.blocked.cause, "system call 5000");
	event = decode_blocked(fixture,
			       (struct blocked_record){
				       .nr = 16, .what = 77, .object = 3, .flags = 0xff & ~1 });
	assert_string(fixture, event.blocked.cause, "system call ioctl");
	assert_string(fixture, event.blocked.object, "file (fd 3)");
}

static void test_data_loc(void **state)
{
	begin_by(*state, "__data_loc", 28);
}

static void test_rel_loc(void **state)
{
	begin_by(*state, "__rel_loc", 0);
}

static void test_print(void **state)
{
	const struct fixture *fixture = *state;
	struct {
		struct common common;
		uint64_t ip;
		char text[32];
	} data = { .common = { .type = 5, .pid = 17 }, .text = "B|16|loop48|3\n" };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "ftrace",
			   "name: print\nID: 5\n" COMMON
			   "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
			   "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n");
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_SPAN_BEGIN);
	assert_int_equal(event.tid, 17);
	assert_int_equal(event.annot.tgid, 16);
	assert_string(fixture, event.annot.name, "loop48");
	assert_true(event.annot.value == 3);
	strcpy(data.text, "B|16|");
	assert_true(decode(fixture, data, &event));
	assert_string(fixture, event.annot.name, "(no name)");
	strcpy(data.text, "somebody else's line\n");
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_KERNEL_MARK);
	assert_int_equal(event.tid, 17);
	/* Filled to the last byte, without a NUL. */
	memset(data.text, 'x', sizeof(data.text));
	memcpy(data.text, "I|16|", 5);
	assert_true(decode(fixture, data, &event));
	assert_string(fixture, event.annot.name, "xxxxxxxxxxxxxxxxxxxxxxxxxxx");
}

struct newtask_record {
	struct common common;
	int32_t pid;
	char comm[16];
	uint32_t pad;
	uint64_t clone_flags;
};

struct fork_record {
	struct common common;
	char comm[16];
	int32_t child_pid;
};

static void add_fork_formats(const struct fixture *fixture)
{
	decoder_add_format(fixture->decoder, "task",
			   "name: task_newtask\nID: 50\n" COMMON
			   "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
			   "\tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
			   "\tfield:unsigned long clone_flags;\toffset:32;\tsize:8;\tsigned:0;\n");
	decoder_add_format(fixture->decoder, "sched",
			   "name: sched_process_fork\nID: 51\n" COMMON
			   "\tfield:char child_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			   "\tfield:pid_t child_pid;\toffset:24;\tsize:4;\tsigned:1;\n");
}

/* Both events tell of a child: one is enough, and task_newtask tells more. */
static void test_forks(void **state)
{
	const struct fixture *fixture = *state;
	struct newtask_record newtask = { .common = { .type = 50, .pid = 7 },
					  .pid = 4000000,
					  .comm = "child",
					  .clone_flags = 0x10000 };
	struct fork_record fork = { .common = { .type = 51, .pid = 7 },
				    .comm = "child",
				    .child_pid = 4000000 };
	struct trace_event event;

	add_fork_formats(fixture);
	assert_true(decode(fixture, newtask, &event));
	assert_int_equal(event.kind, TRACE_FORK);
	assert_int_equal(event.fork.child_tid, 4000000);
	assert_true(event.fork.thread_known && event.fork.is_thread);
	assert_false(decode(fixture, fork, &event));
	/* The same tid once more, and only this event tells. */
	assert_true(decode(fixture, fork, &event));
	assert_int_equal(event.kind, TRACE_FORK);
	assert_string(fixture, event.fork.comm, "child");
	assert_false(event.fork.thread_known);
	/* No tid at all: passed on, and no memory is taken for it. */
	newtask.pid = fork.child_pid = INT32_MAX;
	newtask.clone_flags = 0;
	assert_true(decode(fixture, newtask, &event));
	assert_false(event.fork.is_thread);
	assert_true(decode(fixture, fork, &event));
	fork.child_pid = INT32_MIN;
	assert_true(decode(fixture, fork, &event));
}

static uint32_t comm_of(const struct fixture *fixture, const char *path)
{
	struct {
		struct common common;
		uint32_t filename;
		int32_t pid;
		int32_t old_pid;
		char text[44];
	} data = { .common = { .type = 60, .pid = 7 }, .pid = 7, .old_pid = 9 };
	struct trace_event event;

	data.filename = (uint32_t)(strlen(path) + 1) << 16 | 20;
	strcpy(data.text, path);
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_RENAME);
	assert_true(event.rename.is_exec);
	assert_int_equal(event.rename.subject_tid, 7);
	assert_int_equal(event.rename.exec_old_tid, 9);
	return event.rename.comm;
}

static void test_exec(void **state)
{
	const struct fixture *fixture = *state;

	decoder_add_format(fixture->decoder, "sched",
			   "name: sched_process_exec\nID: 60\n" COMMON
			   "\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n"
			   "\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"
			   "\tfield:pid_t old_pid;\toffset:16;\tsize:4;\tsigned:1;\n");
	assert_string(fixture, comm_of(fixture, "/usr/bin/sleep"), "sleep");
	assert_string(fixture, comm_of(fixture, "./a.out"), "a.out");
	assert_string(fixture, comm_of(fixture, "program"), "program");
	assert_string(fixture, comm_of(fixture, "/opt/longer-than-a-comm-holds"),
		      "longer-than-a-c");
	assert_int_equal(comm_of(fixture, "/dev/fd/5"), TRACE_NO_STRING);
}

static void test_wakeup(void **state)
{
	const struct fixture *fixture = *state;
	struct {
		struct common common;
		char comm[16];
		int32_t pid;
		int32_t prio;
		int32_t target_cpu;
	} data = { .common = { .type = 70, .pid = 7 }, .comm = "pe1", .pid = 8, .target_cpu = 3 };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "sched",
			   "name: sched_wakeup\nID: 70\n" COMMON
			   "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			   "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			   "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
			   "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n");
	assert_true(decode(fixture, data, &event));
	assert_int_equal(event.kind, TRACE_WAKEUP);
	assert_int_equal(event.wakeup.wakee_tid, 8);
	assert_int_equal(event.wakeup.target_cpu, 3);
	assert_false(event.wakeup.is_new);
	assert_false(event.wakeup.in_interrupt);
	data.common.flags = 0x08; /* TRACE_FLAG_HARDIRQ */
	assert_true(decode(fixture, data, &event));
	assert_true(event.wakeup.in_interrupt);
	data.common.flags = 0x01; /* only interrupts off */
	assert_true(decode(fixture, data, &event));
	assert_false(event.wakeup.in_interrupt);
}

static void test_format(void **state)
{
	struct event_format format;
	const struct event_field *field;

	(void)state;
	assert_int_equal(event_format_parse(switch_format, &format), 0);
	assert_string_equal(format.name, "sched_switch");
	assert_int_equal(format.id, 316);
	assert_int_equal(format.nr_fields, 11);
	field = event_format_field(&format, "prev_comm");
	assert_non_null(field);
	assert_int_equal(field->offset, 8);
	assert_int_equal(field->size, 16);
	assert_null(event_format_field(&format, "prev_com"));
	assert_memory_equal(format.print, "print fmt:", 10);
	/* header_page has neither name nor id, and a blank behind "field:". */
	assert_int_equal(
		event_format_parse("\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n",
				   &format),
		0);
	assert_int_equal(format.id, -1);
	assert_non_null(event_format_field(&format, "commit"));
}

static void test_no_format(void **state)
{
	struct event_format format;

	(void)state;
	assert_int_equal(event_format_parse("", &format), -1);
	assert_int_equal(event_format_parse("name: x\nID: 3\n", &format), -1);
	assert_int_equal(event_format_parse("field:int x", &format), -1);
	assert_int_equal(event_format_parse("field:int x;", &format), -1);
	assert_int_equal(event_format_parse("field:int x;\toffset:8;", &format), -1);
	assert_int_equal(event_format_parse("field:int x;\toffset:8;\tsize:70000;", &format), -1);
	assert_int_equal(event_format_parse("field:;\toffset:8;\tsize:4;", &format), -1);
	assert_int_equal(event_format_parse("field:char [16];\toffset:8;\tsize:4;", &format), 0);
	assert_string_equal(format.fields[0].name, "char");
	assert_int_equal(event_format_parse("field:[];\toffset:8;\tsize:4;", &format), -1);
}

#define with_decoder(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_decoder(test_switch),
		with_decoder(test_priorities),
		with_decoder(test_switch_of_another_machine),
		with_decoder(test_switch_of_32_bits),
		with_decoder(test_states),
		with_decoder(test_states_of_an_old_kernel),
		with_decoder(test_too_short),
		with_decoder(test_unknown_events),
		with_decoder(test_other_events),
		with_decoder(test_kernel_stack),
		with_decoder(test_kernel_stack_of_32_bits),
		with_decoder(test_user_stack),
		with_decoder(test_blocked),
		with_decoder(test_blocked_in_little),
		with_decoder(test_data_loc),
		with_decoder(test_rel_loc),
		with_decoder(test_print),
		with_decoder(test_forks),
		with_decoder(test_exec),
		with_decoder(test_wakeup),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_no_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
