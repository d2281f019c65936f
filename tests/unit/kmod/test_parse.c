// SPDX-License-Identifier: GPL-2.0
/* LINK: kmod/device/parse.c */
/*
 * The text protocol of /dev/annot/cpuN, rule by rule.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "device/parse.h"

/*
 * Parses @text from memory of exactly its length, so that a tool like valgrind sees a read beyond.
 */
static long parse_bytes(const char *text, size_t length, struct annot_line *line)
{
	char *copy = test_malloc(length ? length : 1);
	long ret;

	memcpy(copy, text, length);
	ret = annot_parse_line(copy, length, line);
	test_free(copy);
	return ret;
}

static long parse(const char *text, struct annot_line *line)
{
	memset(line, 0x5a, sizeof(*line));
	return parse_bytes(text, strlen(text), line);
}

#define assert_bad(text)                                        \
	do {                                                    \
		struct annot_line line_;                        \
		assert_int_equal(parse(text, &line_), -EINVAL); \
	} while (0)

/* The whole of @text is one good line. */
static struct annot_line good(const char *text)
{
	struct annot_line line;

	assert_int_equal(parse(text, &line), strlen(text));
	return line;
}

static void assert_name(const char *text, const char *name)
{
	assert_string_equal(good(text).name, name);
}

static void assert_value(const char *text, int64_t value)
{
	struct annot_line line = good(text);

	assert_true(line.has_value);
	assert_true(line.value == value);
}

static void test_ops(void **state)
{
	struct annot_line line;

	(void)state;
	line = good("B loop48 17\n");
	assert_int_equal(line.op, ANNOT_OP_BEGIN);
	assert_string_equal(line.name, "loop48");
	assert_true(line.has_value && line.value == 17);

	line = good("W barrier\n");
	assert_int_equal(line.op, ANNOT_OP_WAIT_BEGIN);
	assert_string_equal(line.name, "barrier");

	line = good("E\n");
	assert_int_equal(line.op, ANNOT_OP_END);
	assert_string_equal(line.name, "");
	assert_false(line.has_value);

	assert_int_equal(good("I mark\n").op, ANNOT_OP_MARK);
	assert_int_equal(good("C depth 3\n").op, ANNOT_OP_COUNTER);
}

static void test_unknown_ops(void **state)
{
	(void)state;
	assert_bad("X name\n");
	assert_bad("b name\n");
	assert_bad("Begin name\n");
	assert_bad("Bname\n");
	assert_bad("EE\n");
	assert_bad("\"B\" name\n");
}

static void test_ops_need_their_fields(void **state)
{
	(void)state;
	assert_bad("B\n");
	assert_bad("B \n");
	assert_bad("W\t\n");
	assert_bad("I\n");
	assert_bad("C\n");
	assert_bad("C depth\n");
	assert_bad("C depth \n");
}

static void test_nothing_after_the_last_field(void **state)
{
	(void)state;
	assert_bad("E name\n");
	assert_bad("E 1\n");
	assert_bad("B name 1 2\n");
	assert_bad("W name 1 x\n");
	assert_bad("I name 1 2\n");
	assert_bad("C name 1 2\n");
}

static void test_blanks(void **state)
{
	(void)state;
	assert_value("B \t name\t  5\n", 5);
	assert_value("C name 5 \t\n", 5);
	assert_name("I name \n", "name");
	good("E \t \n");
	assert_bad(" E\n");
	assert_bad("\tB name\n");
	assert_bad("E\r\n");
	assert_bad("B\vname\n");
}

static void test_line_ends(void **state)
{
	struct annot_line line;

	(void)state;
	good("E");
	assert_name("I name", "name");
	assert_value("B name 12", 12);
	assert_int_equal(parse("B one 1\nB two 2\n", &line), 8);
	assert_string_equal(line.name, "one");
	assert_bad("\n");
	assert_bad("\nE\n");
	assert_bad(" \n");
	assert_int_equal(parse_bytes("E\0", 2, &line), -EINVAL);
	assert_int_equal(parse_bytes("I a\0b\n", 6, &line), -EINVAL);
}

static void test_has_value(void **state)
{
	struct annot_line line;

	(void)state;
	line = good("B name\n");
	assert_false(line.has_value);
	assert_true(line.value == 0);
	line = good("B name 0\n");
	assert_true(line.has_value);
	assert_false(good("I name\n").has_value);
	assert_value("I name 0\n", 0);
	assert_value("W name -1\n", -1);
}

static void test_values(void **state)
{
	(void)state;
	assert_value("C n 9223372036854775807\n", INT64_MAX);
	assert_value("C n -9223372036854775808\n", INT64_MIN);
	assert_value("C n -9223372036854775807\n", -INT64_MAX);
	assert_value("C n 922337203685477580\n", INT64_MAX / 10);
	assert_value("C n 007\n", 7);
	assert_value("C n -0\n", 0);
	assert_value("C n 00000000000000000000009223372036854775807\n", INT64_MAX);
}

static void test_bad_values(void **state)
{
	(void)state;
	assert_bad("C n 9223372036854775808\n");
	assert_bad("C n -9223372036854775809\n");
	assert_bad("C n 9223372036854775810\n");
	assert_bad("C n 92233720368547758070\n");
	assert_bad("C n 18446744073709551616\n");
	assert_bad("C n -18446744073709551617\n");
	assert_bad("C n 99999999999999999999999\n");
	assert_bad("C n -\n");
	assert_bad("C n --1\n");
	assert_bad("C n +1\n");
	assert_bad("C n 1-\n");
	assert_bad("C n 0x10\n");
	assert_bad("C n 1.5\n");
	assert_bad("C n 1,\n");
	assert_bad("C n \"1\"\n");
	assert_bad("C n :\n");
	assert_bad("C n /\n");
}

static void test_bare_names(void **state)
{
	(void)state;
	assert_name("B a\n", "a");
	assert_name("B 17\n", "17");
	assert_name("B a\"b\\c\n", "a\"b\\c");
	assert_name("B \\\n", "\\");
	assert_name("B -|:=\n", "-|:=");
	assert_name("B \x80\xff\n", "\x80\xff");
	assert_name("B 段階\n", "段階");
}

static void test_quoted_names(void **state)
{
	(void)state;
	assert_name("B \"a b\"\n", "a b");
	assert_name("B \" \"\n", " ");
	assert_name("B \"say \\\"hi\\\"\" 3\n", "say \"hi\"");
	assert_name("B \"a\\\\b\"\n", "a\\b");
	assert_name("B \"\\\\\"\n", "\\");
	assert_name("B \"\x80\xff\"\n", "\x80\xff");
	assert_value("B \"a b\"\t 3\n", 3);
	assert_value("C \"a 1\" 2", 2);
}

static void test_bad_quoting(void **state)
{
	(void)state;
	assert_bad("B \"\"\n");
	assert_bad("B \"\n");
	assert_bad("B \"a\n");
	assert_bad("B \"a\\\"\n");
	assert_bad("B \"a\\\n");
	assert_bad("B \"a\\nb\"\n");
	assert_bad("B \"a\"b\n");
	assert_bad("B \"a\"\"b\"\n");
	assert_bad("B \"a\"3\n");
	assert_bad("B \"a\nb\"\n");
}

/* The line "B name", the name of @length bytes, bare or quoted, each byte escaped if @escaped. */
static char *named(size_t length, bool quoted, bool escaped)
{
	char *text = test_malloc(2 * length + 6), *at = text;

	at += sprintf(at, quoted ? "B \"" : "B ");
	for (size_t i = 0; i < length; i++) {
		if (escaped)
			*at++ = '\\';
		*at++ = escaped ? '"' : 'n';
	}
	sprintf(at, quoted ? "\"\n" : "\n");
	return text;
}

static void test_name_length(void **state)
{
	static const struct {
		bool quoted, escaped;
	} forms[] = { { false, false }, { true, false }, { true, true } };

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		char *longest = named(255, forms[i].quoted, forms[i].escaped);
		char *longer = named(256, forms[i].quoted, forms[i].escaped);

		assert_int_equal(strlen(good(longest).name), 255);
		assert_bad(longer);
		test_free(longest);
		test_free(longer);
	}
}

static void test_control_characters(void **state)
{
	(void)state;
	for (int byte = 0; byte < 256; byte++) {
		char bare[] = "I a?b\n", quoted[] = "I \"a?b\"\n";
		bool control = byte < 0x20 || byte == 0x7f;
		struct annot_line line;

		bare[3] = byte;
		quoted[4] = byte;
		/* After a blank or a newline, "b" is no value and no line. */
		assert_int_equal(annot_parse_text(bare, 6, &line),
				 control || byte == ' ' ? -EINVAL : 1);
		if (byte == '"' || byte == '\\')
			continue;
		assert_int_equal(parse_bytes(quoted, 8, &line), control ? -EINVAL : 8);
		if (!control)
			assert_int_equal((unsigned char)line.name[1], byte);
	}
}

static long parse_text(const char *text, struct annot_line *last)
{
	return annot_parse_text(text, strlen(text), last);
}

static void test_text(void **state)
{
	struct annot_line last;

	(void)state;
	assert_int_equal(parse_text("", &last), 0);
	assert_int_equal(parse_text("E", &last), 1);
	assert_int_equal(parse_text("B a\nE\n", &last), 2);
	assert_int_equal(last.op, ANNOT_OP_END);
	assert_int_equal(parse_text("B a\nE\nI last 4", &last), 3);
	assert_string_equal(last.name, "last");
	assert_true(last.value == 4);
}

static void test_text_is_all_or_nothing(void **state)
{
	struct annot_line last;

	(void)state;
	assert_int_equal(parse_text("bad\nE\nE\n", &last), -EINVAL);
	assert_int_equal(parse_text("E\nbad\nE\n", &last), -EINVAL);
	assert_int_equal(parse_text("E\nE\nbad", &last), -EINVAL);
	assert_int_equal(parse_text("E\n\nE\n", &last), -EINVAL);
	assert_int_equal(parse_text("E\n\n", &last), -EINVAL);
	assert_int_equal(parse_text("E\nE\nC a\n", &last), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_unknown_ops),
		cmocka_unit_test(test_ops_need_their_fields),
		cmocka_unit_test(test_nothing_after_the_last_field),
		cmocka_unit_test(test_blanks),
		cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_has_value),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_bad_values),
		cmocka_unit_test(test_bare_names),
		cmocka_unit_test(test_quoted_names),
		cmocka_unit_test(test_bad_quoting),
		cmocka_unit_test(test_name_length),
		cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_text_is_all_or_nothing),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
