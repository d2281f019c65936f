// SPDX-License-Identifier: GPL-2.0
/* Annotations as text: the device's format, and atrace's for trace_marker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "../../../libannot/format.h"
#include "annot/annot.h"

static const char *device(unsigned int op, const char *name, int64_t value)
{
	static char text[LINE_MAX_BYTES + 1];
	struct line line;

	annot_format_device(&line, op, name, value);
	assert_true(line.nr_bytes < sizeof(text));
	memcpy(text, line.bytes, line.nr_bytes);
	text[line.nr_bytes] = 0;
	return text;
}

static const char *marker(unsigned int op, const char *name, int64_t value)
{
	static char text[LINE_MAX_BYTES + 1];
	struct line line;

	annot_format_marker(&line, op, name, value, 42);
	memcpy(text, line.bytes, line.nr_bytes);
	text[line.nr_bytes] = 0;
	return text;
}

#define VALUE ANNOT_OP_HAS_VALUE

static void device_lines(void **state)
{
	(void)state;
	assert_string_equal(device(ANNOT_OP_BEGIN, "loop48", 5), "B loop48");
	assert_string_equal(device(ANNOT_OP_BEGIN | VALUE, "loop48", 5), "B loop48 5");
	assert_string_equal(device(ANNOT_OP_WAIT_BEGIN, "barrier", 0), "W barrier");
	assert_string_equal(device(ANNOT_OP_WAIT_BEGIN | VALUE, "lock", -1), "W lock -1");
	assert_string_equal(device(ANNOT_OP_END, NULL, 0), "E");
	assert_string_equal(device(ANNOT_OP_NEXT, "phase", 0), "E\nB phase");
	assert_string_equal(device(ANNOT_OP_NEXT | VALUE, "a b", 2), "E\nB \"a b\" 2");
	assert_string_equal(device(ANNOT_OP_MARK, "here", 0), "I here");
	assert_string_equal(device(ANNOT_OP_COUNTER | VALUE, "queue", 0), "C queue 0");
}

static void device_values(void **state)
{
	(void)state;
	assert_string_equal(device(ANNOT_OP_MARK | VALUE, "n", INT64_MAX),
			    "I n 9223372036854775807");
	assert_string_equal(device(ANNOT_OP_MARK | VALUE, "n", INT64_MIN),
			    "I n -9223372036854775808");
	assert_string_equal(device(ANNOT_OP_MARK | VALUE, "n", 10), "I n 10");
}

static void device_quotes(void **state)
{
	(void)state;
	assert_string_equal(device(ANNOT_OP_BEGIN, "a b", 0), "B \"a b\"");
	assert_string_equal(device(ANNOT_OP_BEGIN | VALUE, "a \"b\\", 1), "B \"a \\\"b\\\\\" 1");
	assert_string_equal(device(ANNOT_OP_BEGIN, "\"a", 0), "B \"\\\"a\"");
	/* needless inside a bare name */
	assert_string_equal(device(ANNOT_OP_BEGIN, "a\"b\\c", 0), "B a\"b\\c");
	assert_string_equal(device(ANNOT_OP_BEGIN, "17", 0), "B 17");
	assert_string_equal(device(ANNOT_OP_BEGIN, "a|b", 0), "B a|b");
}

static void names_are_cleaned(void **state)
{
	(void)state;
	assert_string_equal(device(ANNOT_OP_BEGIN, NULL, 0), "B ?");
	assert_string_equal(device(ANNOT_OP_BEGIN, "", 0), "B ?");
	assert_string_equal(device(ANNOT_OP_BEGIN, "a\nB evil\tc\x7f", 0), "B \"a?B evil?c?\"");
	assert_string_equal(device(ANNOT_OP_BEGIN, "\xc3\xa4\xff", 0), "B \xc3\xa4\xff");
	assert_string_equal(marker(ANNOT_OP_BEGIN, "a\nE|1", 0), "B|42|a?E|1|0");
	assert_string_equal(marker(ANNOT_OP_MARK, NULL, 0), "I|42|?");
}

/* @nr times 'a', then @tail; what is left of it. */
static size_t kept(size_t nr, const char *tail)
{
	char name[600];

	memset(name, 'a', nr);
	strcpy(name + nr, tail);
	return strlen(device(ANNOT_OP_BEGIN, name, 0)) - strlen("B ");
}

static void long_names_are_cut_between_characters(void **state)
{
	(void)state;
	assert_int_equal(kept(255, ""), 255);
	assert_int_equal(kept(256, ""), 255);
	assert_int_equal(kept(500, ""), 255);
	assert_int_equal(kept(253, "\xc3\xa4"), 255); /* 2 bytes, fit */
	assert_int_equal(kept(254, "\xc3\xa4"), 254);
	assert_int_equal(kept(253, "\xe2\x82\xac"), 253); /* 3 bytes */
	assert_int_equal(kept(252, "\xe2\x82\xac"), 255);
	assert_int_equal(kept(252, "\xf0\x9f\x98\x80"), 252); /* 4 bytes */
	assert_int_equal(kept(251, "\xf0\x9f\x98\x80"), 255);
	/* not UTF-8: more continuation bytes than a character has */
	assert_int_equal(kept(250, "\x80\x80\x80\x80\x80\x80\x80\x80"), 255);
}

static void longest_line_fits(void **state)
{
	char name[NAME_MAX_BYTES + 1];
	const char *text;

	(void)state;
	memset(name, '"', NAME_MAX_BYTES);
	name[NAME_MAX_BYTES] = 0;
	text = device(ANNOT_OP_BEGIN | VALUE, name, INT64_MIN);
	assert_int_equal(strlen(text), strlen("B \"\" -9223372036854775808") + 2 * NAME_MAX_BYTES);
	assert_string_equal(text + strlen(text) - 8, "54775808");
}

static void lines_do_not_overflow(void **state)
{
	struct line line = { .nr_bytes = LINE_MAX_BYTES - 1 };

	(void)state;
	annot_line_add(&line, "abc");
	assert_int_equal(line.nr_bytes, LINE_MAX_BYTES);
	assert_int_equal(line.bytes[LINE_MAX_BYTES - 1], 'a');
	annot_line_add_number(&line, INT64_MIN);
	assert_int_equal(line.nr_bytes, LINE_MAX_BYTES);
}

static void marker_lines(void **state)
{
	(void)state;
	assert_string_equal(marker(ANNOT_OP_BEGIN, "loop48", 0), "B|42|loop48");
	assert_string_equal(marker(ANNOT_OP_BEGIN | VALUE, "loop48", 17), "B|42|loop48|17");
	assert_string_equal(marker(ANNOT_OP_WAIT_BEGIN, "barrier", 0), "B|42|barrier|wait");
	assert_string_equal(marker(ANNOT_OP_WAIT_BEGIN | VALUE, "barrier", -2),
			    "B|42|barrier|wait|-2");
	assert_string_equal(marker(ANNOT_OP_END, NULL, 0), "E|42");
	assert_string_equal(marker(ANNOT_OP_MARK, "two words", 0), "I|42|two words");
	assert_string_equal(marker(ANNOT_OP_MARK | VALUE, "m", 3), "I|42|m|3");
	assert_string_equal(marker(ANNOT_OP_COUNTER | VALUE, "q", 3), "C|42|q|3");
}

static void marker_names_cannot_be_misread(void **state)
{
	(void)state;
	assert_string_equal(marker(ANNOT_OP_BEGIN, "a|7", 0), "B|42|a|7|0");
	assert_string_equal(marker(ANNOT_OP_BEGIN | VALUE, "a|7", 5), "B|42|a|7|5");
	assert_string_equal(marker(ANNOT_OP_BEGIN, "a|wait", 0), "B|42|a/wait");
	assert_string_equal(marker(ANNOT_OP_BEGIN, "a|b|wait", 0), "B|42|a|b/wait|0");
	assert_string_equal(marker(ANNOT_OP_BEGIN, "|wait", 0), "B|42|/wait");
	assert_string_equal(marker(ANNOT_OP_WAIT_BEGIN, "a|wait", 0), "B|42|a|wait|wait|0");
	assert_string_equal(marker(ANNOT_OP_MARK, "a|wait", 0), "I|42|a|wait|0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(device_lines),
		cmocka_unit_test(device_values),
		cmocka_unit_test(device_quotes),
		cmocka_unit_test(names_are_cleaned),
		cmocka_unit_test(long_names_are_cut_between_characters),
		cmocka_unit_test(longest_line_fits),
		cmocka_unit_test(lines_do_not_overflow),
		cmocka_unit_test(marker_lines),
		cmocka_unit_test(marker_names_cannot_be_misread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
