// SPDX-License-Identifier: GPL-2.0
/*
 * Records of system calls, functions, locks ... of the kernel -> events, by formats as kernels write them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/names/argument_texts.h"
#include "trace/decode/decoder.h"

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"
#define FIELD(declaration, offset, size) \
	"\tfield:" declaration ";\toffset:" #offset ";\tsize:" #size ";\tsigned:0;\n"

static const char raw_enter[] = "name: sys_enter\nID: 443\n" COMMON FIELD("long id", 8, 8)
	FIELD("unsigned long args[6]", 16, 48) "\nprint fmt: \"\"\n";
static const char raw_exit[] = "name: sys_exit\nID: 442\n" COMMON FIELD("long id", 8, 8)
	FIELD("long ret", 16, 8) "\nprint fmt: \"\"\n";
static const char raw_enter_32[] = "name: sys_enter\nID: 443\n" COMMON FIELD("long id", 8, 4)
	FIELD("unsigned long args[6]", 12, 24) "\nprint fmt: \"\"\n";
static const char raw_exit_32[] = "name: sys_exit\nID: 442\n" COMMON FIELD("long id", 8, 4)
	FIELD("long ret", 12, 4) "\nprint fmt: \"\"\n";
static const char enter_openat[] =
	"name: sys_enter_openat\nID: 782\n" COMMON FIELD("int __syscall_nr", 8, 4)
		FIELD("int dfd", 16, 8) FIELD("const char * filename", 24, 8)
			FIELD("int flags", 32, 8)
				FIELD("umode_t mode", 40, 8) "\nprint fmt: \"\"\n";
static const char exit_newfstat[] =
	"name: sys_exit_newfstat\nID: 781\n" COMMON FIELD("int __syscall_nr", 8, 4)
		FIELD("long ret", 16, 8) "\nprint fmt: \"\"\n";
/* Linux 6.1. */
static const char graph_entry[] =
	"name: funcgraph_entry\nID: 11\n" COMMON FIELD("unsigned long func", 8, 8)
		FIELD("int depth", 16, 4) "\nprint fmt: \"\"\n";
static const char graph_exit_6_1[] =
	"name: funcgraph_exit\nID: 10\n" COMMON FIELD("unsigned long func", 8, 8)
		FIELD("int depth", 16, 4) FIELD("unsigned int overrun", 20, 4)
			FIELD("unsigned long long calltime", 24, 8)
				FIELD("unsigned long long rettime", 32, 8) "\nprint fmt: \"\"\n";
/* Linux 6.12, with CONFIG_FUNCTION_GRAPH_RETVAL: the fields in another order. */
static const char graph_exit_6_12[] =
	"name: funcgraph_exit\nID: 10\n" COMMON FIELD("unsigned long func", 8, 8)
		FIELD("unsigned long retval", 16, 8) FIELD("int depth", 24, 4)
			FIELD("unsigned int overrun", 28, 4) FIELD("unsigned long long calltime",
								   32, 8)
				FIELD("unsigned long long rettime", 40, 8) "\nprint fmt: \"\"\n";
static const char lock_begin[] =
	"name: contention_begin\nID: 408\n" COMMON FIELD("void * lock_addr", 8, 8)
		FIELD("unsigned int flags", 16, 4) "\nprint fmt: \"\"\n";
static const char fault_user[] =
	"name: page_fault_user\nID: 190\n" COMMON FIELD("unsigned long address", 8, 8)
		FIELD("unsigned long ip", 16, 8)
			FIELD("unsigned long error_code", 24, 8) "\nprint fmt: \"\"\n";
static const char work_start[] =
	"name: workqueue_execute_start\nID: 335\n" COMMON FIELD("void * work", 8, 8)
		FIELD("void * function", 16, 8) "\nprint fmt: \"\"\n";
static const char print[] = "name: print\nID: 5\n" COMMON FIELD("unsigned long ip", 8, 8)
	FIELD("char buf[]", 16, 0) "\nprint fmt: \"\"\n";

#define SYMBOLS \
	"ffffffff81000000 T do_work\nffffffff81000100 t inner\t[module]\nffffffff82000000 D data\n"

struct fixture {
	struct string_table *strings;
	struct decoder *decoder;
	struct trace_annotation_counts counts;
	uint64_t nr_damaged[NR_TRACE_DAMAGES];
};

struct common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

static char *read_symbols(void *context)
{
	(void)context;
	return strdup(SYMBOLS);
}

static int set_up(void **state)
{
	static struct fixture fixture;

	memset(&fixture, 0, sizeof(fixture));
	fixture.strings = string_table_new();
	fixture.decoder = decoder_new(fixture.strings, &fixture.counts, fixture.nr_damaged);
	decoder_set_machine(fixture.decoder, "x86_64");
	decoder_use_symbols(fixture.decoder, read_symbols, NULL);
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

static struct trace_event decode_bytes(struct fixture *fixture, const void *data, size_t bytes)
{
	struct raw_record record = { .data = data, .size = (uint32_t)bytes };
	struct trace_event event = { .kind = TRACE_LOST };

	if (!decoder_decode(fixture->decoder, &record, &event))
		event.kind = TRACE_LOST;
	return event;
}

#define decode(fixture, data) decode_bytes(fixture, &(data), sizeof(data))

static void assert_string(const struct fixture *fixture, uint32_t id, const char *string)
{
	assert_string_equal(string_table_get(fixture->strings, id), string);
}

struct raw_enter {
	struct common common;
	int64_t id;
	uint64_t args[6];
};

struct raw_exit {
	struct common common;
	int64_t id;
	int64_t ret;
};

static struct trace_event decode_call(struct fixture *fixture, int64_t number)
{
	struct raw_enter data = { { .type = 443, .pid = 7 }, number, { 3, 0x7ffc12345678, 100 } };

	return decode(fixture, data);
}

static void test_raw_syscall(void **state)
{
	struct fixture *fixture = *state;
	struct raw_exit data = { { .type = 442, .pid = 7, .flags = 1 }, 0, -2 };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "raw_syscalls", raw_enter);
	decoder_add_format(fixture->decoder, "raw_syscalls", raw_exit);
	event = decode_call(fixture, 0);
	assert_int_equal(event.kind, TRACE_KERNEL_BEGIN);
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_SYSCALL);
	assert_string(fixture, event.kernel.name, "read");
	assert_string(fixture, event.kernel.text, "3, 0x7ffc12345678, 100");
	assert_false(event.kernel.may_be_in_switch);
	event = decode(fixture, data);
	assert_int_equal(event.kind, TRACE_KERNEL_END);
	assert_int_equal(event.kernel.key, 0);
	assert_true(event.kernel.has_value);
	assert_int_equal(event.kernel.value, -2);
	assert_true(event.kernel.may_be_in_switch);
	/* It has no arguments. */
	event = decode_call(fixture, 39);
	assert_string(fixture, event.kernel.name, "getpid");
	assert_int_equal(event.kernel.text, TRACE_NO_STRING);
	/* No table has it. */
	event = decode_call(fixture, 500);
	assert_string(fixture, event.kernel.name, "system call 500");
	event = decode_call(fixture, INT64_MIN);
	assert_string(fixture, event.kernel.name, "system call -9223372036854775808");
}

static void test_machines(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		const char *machine;
		const char *name; /* of number 63 */
	} known[] = {
		{ "aarch64", "read" }, { "riscv64", "read" },	       { "x86_64", "uname" },
		{ "i686", "dup2" },    { "mips64", "system call 63" }, { "", "system call 63" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		tear_down(state);
		set_up(state);
		fixture = *state;
		decoder_add_format(fixture->decoder, "raw_syscalls", raw_enter);
		decoder_set_machine(fixture->decoder, known[i].machine);
		assert_string(fixture, decode_call(fixture, 63).kernel.name, known[i].name);
	}
}

static void test_raw_syscall_of_32_bits(void **state)
{
	struct fixture *fixture = *state;
	struct {
		struct common common;
		int32_t id;
		uint32_t args[6];
	} enter = { { .type = 443, .pid = 7 }, 4, { 1, 0xbf001234, 12 } };
	struct {
		struct common common;
		int32_t id;
		int32_t ret;
	} leave = { { .type = 442, .pid = 7 }, 4, -11 };
	struct trace_event event;

	decoder_set_machine(fixture->decoder, "i686");
	decoder_add_format(fixture->decoder, "raw_syscalls", raw_enter_32);
	decoder_add_format(fixture->decoder, "raw_syscalls", raw_exit_32);
	event = decode(fixture, enter);
	assert_string(fixture, event.kernel.name, "write");
	assert_string(fixture, event.kernel.text, "1, 0xbf001234, 12");
	event = decode(fixture, leave);
	assert_int_equal(event.kernel.key, 4);
	assert_int_equal(event.kernel.value, -11);
}

static void test_named_syscall(void **state)
{
	struct fixture *fixture = *state;
	struct {
		struct common common;
		int32_t number;
		uint64_t args[4];
	} enter = { { .type = 782 }, 257, { 0xffffff9c, 0x1000, 0x80000, 0 } };
	struct {
		struct common common;
		int32_t number;
		int64_t ret;
	} leave = { { .type = 781 }, 5, 0 };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "syscalls", enter_openat);
	decoder_add_format(fixture->decoder, "syscalls", exit_newfstat);
	event = decode(fixture, enter);
	assert_int_equal(event.kind, TRACE_KERNEL_BEGIN);
	assert_string(fixture, event.kernel.name, "openat");
	assert_string(fixture, event.kernel.text,
		      "dfd=-100, filename=0x1000, flags=0x80000, mode=0");
	assert_int_equal(event.kernel.key, 257);
	assert_int_equal(event.kernel.level, TRACE_SYSCALL_NAMED);
	event = decode(fixture, leave);
	assert_int_equal(event.kind, TRACE_KERNEL_END);
	assert_string(fixture, event.kernel.name, "fstat");
	assert_int_equal(event.kernel.value, 0);
	/* Cut off in its arguments. */
	assert_int_equal(decode_bytes(fixture, &enter, sizeof(enter) - 1).kind, TRACE_LOST);
	assert_int_equal(fixture->nr_damaged[TRACE_DAMAGED_OTHER], 1);
}

static void test_function_graph(void **state)
{
	struct fixture *fixture = *state;
	struct {
		struct common common;
		uint64_t func;
		int32_t depth;
	} entry = { { .type = 11 }, 0xffffffff81000104, 3 };
	struct {
		struct common common;
		uint64_t func;
		int32_t depth;
		uint32_t overrun;
		uint64_t calltime, rettime;
	} leave = { { .type = 10 }, 0xffffffff81000104, 3, 0, 5, 6 };
	struct {
		struct common common;
		uint64_t func, retval;
		int32_t depth;
		uint32_t overrun;
		uint64_t calltime, rettime;
	} later = { { .type = 10 }, 0xffffffff81000104, (uint64_t)-22, 3, 0, 5, 6 };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "ftrace", graph_entry);
	decoder_add_format(fixture->decoder, "ftrace", graph_exit_6_1);
	event = decode(fixture, entry);
	assert_int_equal(event.kind, TRACE_KERNEL_BEGIN);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_FUNCTION);
	assert_string(fixture, event.kernel.name, "inner");
	assert_int_equal(event.kernel.level, 3);
	event = decode(fixture, leave);
	assert_int_equal(event.kind, TRACE_KERNEL_END);
	assert_int_equal(event.kernel.key, 0xffffffff81000104);
	assert_int_equal(event.kernel.level, 3);
	assert_false(event.kernel.has_value);
	decoder_add_format(fixture->decoder, "ftrace", graph_exit_6_12);
	event = decode(fixture, later);
	assert_int_equal(event.kernel.level, 3);
	assert_true(event.kernel.has_value);
	assert_int_equal(event.kernel.value, -22);
	/* No code there. */
	entry.func = 0xffffffff82000000;
	assert_string(fixture, decode(fixture, entry).kernel.name, "0xffffffff82000000");
	entry.func = 0x10;
	assert_string(fixture, decode(fixture, entry).kernel.name, "0x10");
}

static void test_lock_fault_work_print(void **state)
{
	struct fixture *fixture = *state;
	struct {
		struct common common;
		uint64_t lock;
		uint32_t flags;
	} lock = { { .type = 408 }, 0xffff888012345678, 0x21 };
	struct {
		struct common common;
		uint64_t address, ip, error;
	} fault = { { .type = 190 }, 0x7f0012345000, 0x401000, 6 };
	struct {
		struct common common;
		uint64_t work, function;
	} work = { { .type = 335 }, 0xffff8880aaaa0000, 0xffffffff81000000 };
	struct {
		struct common common;
		uint64_t ip;
		char text[16];
	} line = { { .type = 5 }, 0, "three words, 1\n" };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "lock", lock_begin);
	decoder_add_format(fixture->decoder, "exceptions", fault_user);
	decoder_add_format(fixture->decoder, "workqueue", work_start);
	decoder_add_format(fixture->decoder, "ftrace", print);
	event = decode(fixture, lock);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_LOCK);
	assert_string(fixture, event.kernel.text, "spin, mutex");
	assert_int_equal(event.kernel.value, 0xffff888012345678);
	event = decode(fixture, fault);
	assert_int_equal(event.kind, TRACE_KERNEL_MARK);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_FAULT);
	assert_string(fixture, event.kernel.text, "write, error code 0x6");
	assert_int_equal(event.kernel.value, 0x7f0012345000);
	event = decode(fixture, work);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_WORK);
	assert_string(fixture, event.kernel.name, "do_work");
	assert_int_equal(event.kernel.key, 0xffff8880aaaa0000);
	event = decode(fixture, line);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_LINE);
	assert_string(fixture, event.kernel.text, "three words, 1");
}

/* The first so many differing arguments have texts, and keep them; later ones are counted. */
static void test_too_many_texts(void **state)
{
	struct fixture *fixture = *state;
	struct raw_enter data = { .common.type = 443, .id = 0 };
	struct trace_event event;

	decoder_add_format(fixture->decoder, "raw_syscalls", raw_enter);
	for (uint64_t i = 0; i < ARGUMENT_TEXTS_MAX + 10; i++) {
		data.args[2] = i;
		event = decode(fixture, data);
		assert_int_equal(event.kernel.is_textless, i >= ARGUMENT_TEXTS_MAX);
		assert_int_equal(!event.kernel.text, i >= ARGUMENT_TEXTS_MAX);
	}
	assert_int_equal(decoder_nr_textless(fixture->decoder), 10);
	data.args[2] = 77;
	assert_string(fixture, decode(fixture, data).kernel.text, "0, 0, 77");
	data.args[2] = ARGUMENT_TEXTS_MAX - 1;
	assert_string(fixture, decode(fixture, data).kernel.text, "0, 0, 65535");
	assert_in_range(string_table_count(fixture->strings), ARGUMENT_TEXTS_MAX,
			ARGUMENT_TEXTS_MAX + 20);
}

static void test_values_as_written(void **state)
{
	struct fixture *fixture = *state;
	struct raw_enter data = { { .type = 443, .pid = 7 }, 0, { 99999, 100000, UINT64_MAX } };

	decoder_add_format(fixture->decoder, "raw_syscalls", raw_enter);
	assert_string(fixture, decode(fixture, data).kernel.text, "99999, 0x186a0, -1");
	data.args[0] = UINT32_MAX;
	data.args[1] = (uint64_t)-4096;
	data.args[2] = 1ull << 63;
	assert_string(fixture, decode(fixture, data).kernel.text,
		      "-1, 0xfffffffffffff000, 0x8000000000000000");
}

/* A trace of all system calls has more formats than a byte can count. */
static void test_name_behind_many_formats(void **state)
{
	struct fixture *fixture = *state;
	struct {
		struct common common;
		int32_t pid;
		char old_name[16];
		char name[16];
	} data = { { .type = 90, .pid = 7 }, 7, "before", "after" };
	struct raw_record record = { .data = (const uint8_t *)&data, .size = sizeof(data) };
	struct trace_event event;

	for (int i = 0; i < 300; i++) {
		char format[1024];

		snprintf(format, sizeof(format),
			 "name: sys_enter_%d\nID: %d\n" COMMON FIELD("int __syscall_nr", 8, 4), i,
			 1000 + i);
		decoder_add_format(fixture->decoder, "syscalls", format);
	}
	decoder_add_format(fixture->decoder, "task",
			   "name: task_rename\nID: 90\n" COMMON FIELD("pid_t pid", 8, 4)
				   FIELD("char oldcomm[16]", 12, 16)
					   FIELD("char newcomm[16]", 28, 16));
	assert_true(decoder_decode_comms(fixture->decoder, &record, &event));
	assert_int_equal(event.kind, TRACE_RENAME);
	assert_string(fixture, event.rename.comm, "after");
}

/* A format without a field that is needed: only who ran. */
static void test_field_is_missing(void **state)
{
	struct fixture *fixture = *state;
	static const char odd[] = "name: sys_enter\nID: 443\n" COMMON FIELD("long number", 8, 8)
		FIELD("unsigned long args[6]", 16, 48) "\nprint fmt: \"\"\n";

	decoder_add_format(fixture->decoder, "raw_syscalls", odd);
	assert_int_equal(decode_call(fixture, 0).kind, TRACE_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_raw_syscall, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_machines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_raw_syscall_of_32_bits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_named_syscall, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_function_graph, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lock_fault_work_print, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_many_texts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_values_as_written, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_name_behind_many_formats, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_field_is_missing, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
