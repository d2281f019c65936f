// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/decoding.c */
/*
 * Records of trace_printk() whose formats are elsewhere -> lines, as the kernel prints them. The arguments are packed here
 * by the rules of the kernel's vbin_printf().
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decoding.h"
#include "trace/decode/decoder.h"

#define BPRINT 6
#define BPUTS 28
#define NUMBERS 0xffffffff82a00000
#define MIXED 0xffffffff82a00100
#define SHORTS 0xffffffff82a00200
#define POINTERS 0xffffffff82a00300
#define TEXT 0xffffffffc0400010
#define PADDED 0xffffffff82a00400
#define STRANGE 0xffffffff82a00500

static char *read_formats(void *context)
{
	(void)context;
	/* In no order, as the kernel's list is; the last line is cut off. */
	return strdup("0xffffffffc0400010 : \"only \\\"text\\\"\\t100%%\\\\\\n\"\n"
		      "0xffffffff82a00000 : \"%d of %lu, %llx %5s\\n\"\n"
		      "no line of a format\n"
		      "0xffffffff82a00100 : \"%c %d %c%llu %s|\"\n"
		      "0xffffffff82a00200 : \"%hd %hhu %hhd\"\n"
		      "0xffffffff82a00300 : \"%p %pS %pI4 %px\"\n"
		      "0xffffffff82a00400 : \"[%-6d] [%06d] [%+.3d] [%#x] [%*d] [%.*s] [%9s] %%\"\n"
		      "0xffffffff82a00500 : \"%d %f\"\n"
		      "0xffffffff82a00600 : \"cut");
}

static char *read_symbols(void *context)
{
	(void)context;
	return strdup("ffffffff81000000 T do_work\n");
}

static int set_up(void **state)
{
	(void)state;
	decoding_begin();
	decoder_use_symbols(decoder, read_symbols, NULL);
	decoder_use_printk_formats(decoder, read_formats, NULL);
	decoder_add_format(decoder, "ftrace",
			   FORMAT("bprint", 6,
				  FIELD("unsigned long ip", 8, 8) FIELD("const char * fmt", 16, 8)
					  FIELD("u32 buf[]", 24, 0)));
	decoder_add_format(decoder, "ftrace",
			   FORMAT("bputs", 28,
				  FIELD("unsigned long ip", 8, 8)
					  FIELD("const char * str", 16, 8)));
	return 0;
}

static struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	uint64_t ip;
	uint64_t format;
	uint8_t arguments[256];
} record;

static size_t nr_bytes; /* of the arguments */

static void begin(uint64_t format)
{
	record = (struct record){ .type = BPRINT, .pid = 7, .format = format };
	nr_bytes = 0;
}

/* Values of 8 bytes are at a multiple of 4, others at one of their sizes. */
static void put(uint64_t value, size_t bytes)
{
	size_t align = bytes == 8 ? 4 : bytes;

	while (nr_bytes % align)
		nr_bytes++;
	memcpy(record.arguments + nr_bytes, &value, bytes);
	nr_bytes += bytes;
}

static void put_text(const char *text)
{
	memcpy(record.arguments + nr_bytes, text, strlen(text) + 1);
	nr_bytes += strlen(text) + 1;
}

static struct trace_event decode(void)
{
	return decoding_of(&record, offsetof(struct record, arguments) + (nr_bytes + 3) / 4 * 4);
}

static void assert_line(const char *line)
{
	struct trace_event event = decode();

	assert_int_equal(event.kind, TRACE_KERNEL_MARK);
	assert_int_equal(event.tid, 7);
	assert_int_equal(event.kernel.kind, TRACE_KERNEL_LINE);
	assert_string_equal(string_table_get(strings, event.kernel.name), "print");
	assert_string_equal(string_table_get(strings, event.kernel.text), line);
}

static void test_numbers(void **state)
{
	(void)state;
	begin(NUMBERS);
	put((uint32_t)-17, 4);
	put(1ull << 40, 8);
	put(0xfedcba9876543210, 8);
	put_text("ab");
	assert_line("-17 of 1099511627776, fedcba9876543210    ab");
}

/* A char takes a byte, an int behind it begins at its own size, 8 bytes at 4. */
static void test_alignment(void **state)
{
	(void)state;
	begin(MIXED);
	put('x', 1);
	put(5, 4);
	put('y', 1);
	put(123456789012, 8);
	put_text("");
	assert_line("x 5 y123456789012 |");
}

/* In as many bytes as they have; since Linux 6.15, as ints. */
static void test_shorts(void **state)
{
	(void)state;
	begin(SHORTS);
	put((uint16_t)-2, 2);
	put(200, 1);
	put((uint8_t)-3, 1);
	assert_line("-2 200 -3");
	begin(SHORTS);
	put((uint32_t)-2, 4);
	put(200, 4);
	put((uint32_t)-3, 4);
	assert_line("-2 200 -3");
}

/* An IPv4 address is a text already. */
static void test_pointers(void **state)
{
	(void)state;
	begin(POINTERS);
	put(0xffff888012345678, 8);
	put(0xffffffff81000010, 8);
	put_text("10.0.2.15");
	put(0x10, 8);
	assert_line("0xffff888012345678 do_work 10.0.2.15 10");
}

static void test_padding(void **state)
{
	(void)state;
	begin(PADDED);
	put(12, 4);
	put((uint32_t)-12, 4);
	put(7, 4);
	put(255, 4);
	put((uint32_t)-4, 4);
	put(9, 4);
	put(2, 4);
	put_text("xyz");
	put_text("end");
	assert_line("[12    ] [-00012] [+007] [0xff] [9   ] [xy] [      end] %");
}

/* %% is not for bputs. */
static void test_bputs(void **state)
{
	(void)state;
	begin(TEXT);
	record.type = BPUTS;
	assert_line("only \"text\"\t100%%\\");
}

/* What cannot be printed stays an event of another kind. */
static void test_unknown(void **state)
{
	(void)state;
	begin(0x1234);
	assert_int_equal(decode().kind, TRACE_OTHER);
	record.type = BPUTS;
	assert_int_equal(decode().kind, TRACE_OTHER);
	begin(STRANGE);
	put(1, 4);
	put(2, 8);
	assert_int_equal(decode().kind, TRACE_OTHER);
	/* The third argument is not there; a text does not end. */
	begin(NUMBERS);
	put(1, 4);
	put(1, 8);
	put(1, 4);
	assert_int_equal(decode().kind, TRACE_OTHER);
	begin(NUMBERS);
	put(1, 4);
	put(1, 8);
	put(1, 8);
	put(0x64636261, 4);
	assert_int_equal(decode().kind, TRACE_OTHER);
	begin(0xffffffff82a00600);
	assert_int_equal(decode().kind, TRACE_OTHER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_numbers, set_up, decoding_end),
		cmocka_unit_test_setup_teardown(test_alignment, set_up, decoding_end),
		cmocka_unit_test_setup_teardown(test_shorts, set_up, decoding_end),
		cmocka_unit_test_setup_teardown(test_pointers, set_up, decoding_end),
		cmocka_unit_test_setup_teardown(test_padding, set_up, decoding_end),
		cmocka_unit_test_setup_teardown(test_bputs, set_up, decoding_end),
		cmocka_unit_test_setup_teardown(test_unknown, set_up, decoding_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
