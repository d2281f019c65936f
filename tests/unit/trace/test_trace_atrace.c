// SPDX-License-Identifier: GPL-2.0
/*
 * The text of trace_marker, rule by rule.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trace/annotations/atrace.h"

/* Parses @text from memory of exactly its length, so that valgrind sees a read beyond. */
static bool parse(const char *text, struct atrace *atrace)
{
	size_t bytes = strlen(text);
	static char name[512];
	char *copy = test_malloc(bytes ? bytes : 1);
	bool parsed;

	memcpy(copy, text, bytes);
	parsed = atrace_parse(copy, bytes, atrace);
	if (parsed && atrace->name) {
		memcpy(name, atrace->name, atrace->name_bytes);
		name[atrace->name_bytes] = '\0';
		atrace->name = name;
	}
	test_free(copy);
	return parsed;
}

static struct atrace good(const char *text, char type, int32_t tgid)
{
	struct atrace atrace;

	assert_true(parse(text, &atrace));
	assert_int_equal(atrace.type, type);
	assert_int_equal(atrace.tgid, tgid);
	return atrace;
}

static void assert_span(const char *text, const char *name, bool is_wait, bool has_value,
			int64_t value)
{
	struct atrace atrace = good(text, 'B', 17);

	assert_string_equal(atrace.name, name);
	assert_int_equal(atrace.is_wait, is_wait);
	assert_int_equal(atrace.has_value, has_value);
	assert_true(atrace.value == value);
}

static void assert_bad(const char *text)
{
	struct atrace atrace;

	assert_false(parse(text, &atrace));
}

static void test_begin(void **state)
{
	(void)state;
	assert_span("B|17|loop48", "loop48", false, false, 0);
	assert_span("B|17|loop48\n", "loop48", false, false, 0);
	assert_span("B|17|loop48|5", "loop48", false, true, 5);
	assert_span("B|17|loop48|-5\n", "loop48", false, true, -5);
	assert_span("B|17|two words", "two words", false, false, 0);
	assert_span("B|17|barrier|wait", "barrier", true, false, 0);
	assert_span("B|17|barrier|wait|9", "barrier", true, true, 9);
}

/* Whatever looks like a value or a word is part of the name where the name must be. */
static void test_names_that_look_like_fields(void **state)
{
	(void)state;
	assert_span("B|17|wait", "wait", false, false, 0);
	assert_span("B|17|wait|wait", "wait", true, false, 0);
	assert_span("B|17|12", "12", false, false, 0);
	assert_span("B|17|12|13", "12", false, true, 13);
	assert_span("B|17|a|b|0", "a|b", false, true, 0);
	assert_span("B|17|a|b|wait|0", "a|b", true, true, 0);
	assert_span("B|17|a|wait|b", "a|wait|b", false, false, 0);
	assert_span("B|17||", "|", false, false, 0);
	assert_span("B|17|", "", false, false, 0);
	assert_span("B|17|a|", "a|", false, false, 0);
	assert_span("B|17|a|1x", "a|1x", false, false, 0);
	assert_span("B|17|a|-", "a|-", false, false, 0);
	assert_span("B|17|a|+1", "a|+1", false, false, 0);
}

static void expect_session(const char *text, int32_t wanted_tgid, int32_t wanted_tid)
{
	int32_t tgid, tid;

	assert_true(atrace_session(text, strlen(text), &tgid, &tid));
	assert_int_equal(tgid, wanted_tgid);
	assert_int_equal(tid, wanted_tid);
}

static void expect_no_session(const char *text)
{
	int32_t tgid, tid;

	assert_false(atrace_session(text, strlen(text), &tgid, &tid));
}

static void test_session(void **state)
{
	(void)state;
	expect_session("annot|session", 0, 0);
	expect_session("annot|session\n", 0, 0);
	expect_session("annot|session|12|345", 12, 345);
	expect_session("annot|session|2147483647|1\n", INT32_MAX, 1);
	expect_no_session("annot|session2");
	expect_no_session("annot|sessio");
	expect_no_session("");
	expect_no_session("annot|session|");
	expect_no_session("annot|session|12");
	expect_no_session("annot|session|12|");
	expect_no_session("annot|session|12|x");
	expect_no_session("annot|session|x|12");
	expect_no_session("annot|session|0|12");
	expect_no_session("annot|session|12|-1");
	expect_no_session("annot|session|12|2147483648");
	expect_no_session("annot|session|12|13|14");
	assert_bad("annot|session");
}

static void test_range_of_values(void **state)
{
	(void)state;
	assert_span("B|17|a|9223372036854775807", "a", false, true, INT64_MAX);
	assert_span("B|17|a|-9223372036854775808", "a", false, true, INT64_MIN);
	assert_span("B|17|a|9223372036854775808", "a|9223372036854775808", false, false, 0);
	assert_span("B|17|a|-9223372036854775809", "a|-9223372036854775809", false, false, 0);
	assert_span("B|17|a|00012", "a", false, true, 12);
}

static void test_end(void **state)
{
	(void)state;
	good("E|17", 'E', 17);
	good("E|17\n", 'E', 17);
	good("E|17|whatever", 'E', 17);
	good("E", 'E', 0);
	assert_bad("E|");
	assert_bad("E|x");
	assert_bad("End of it");
}

static void test_mark(void **state)
{
	struct atrace atrace;

	(void)state;
	atrace = good("I|17|here", 'I', 17);
	assert_string_equal(atrace.name, "here");
	assert_false(atrace.has_value);
	atrace = good("I|17|here|wait|3", 'I', 17);
	assert_string_equal(atrace.name, "here|wait");
	assert_int_equal(atrace.value, 3);
	assert_bad("I|17|");
	assert_bad("I|17");
}

static void test_counter(void **state)
{
	struct atrace atrace;

	(void)state;
	atrace = good("C|17|depth|-3\n", 'C', 17);
	assert_string_equal(atrace.name, "depth");
	assert_true(atrace.has_value);
	assert_true(atrace.value == -3);
	assert_bad("C|17|depth");
	assert_bad("C|17|3");
	assert_bad("C|17||3");
}

static void test_other_text(void **state)
{
	(void)state;
	assert_bad("");
	assert_bad("\n");
	assert_bad("B");
	assert_bad("B|");
	assert_bad("B||name");
	assert_bad("B|-1|name");
	assert_bad("B|99999999999|name");
	assert_bad("Bogus|17|name");
	assert_bad("S|17|name|1");
	assert_bad("hello world");
	assert_bad(" B|17|name");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_begin),	cmocka_unit_test(test_names_that_look_like_fields),
		cmocka_unit_test(test_session), cmocka_unit_test(test_range_of_values),
		cmocka_unit_test(test_end),	cmocka_unit_test(test_mark),
		cmocka_unit_test(test_counter), cmocka_unit_test(test_other_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
