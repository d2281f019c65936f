// SPDX-License-Identifier: GPL-2.0
/*
 * The forms that figures and strings take: JSON, units, names.
 */
#include <linux/perf_event.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/samples/data_source.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/text/json.h"

#define NO_CHARACTER "\xef\xbf\xbd"

/* What is written to out ends up here. */
static char *text;
static size_t text_bytes;

static FILE *begin(void)
{
	return open_memstream(&text, &text_bytes);
}

static void assert_text(FILE *out, const char *expected)
{
	fclose(out);
	assert_string_equal(text, expected);
	free(text);
}

static void assert_json_string(const char *string, const char *expected)
{
	FILE *out = begin();
	struct json json;

	json_init(&json, out, JSON_COMPACT);
	json_string(&json, string);
	assert_text(out, expected);
}

static void test_json_strings(void **state)
{
	(void)state;
	assert_json_string("", "\"\"");
	assert_json_string("loop48", "\"loop48\"");
	assert_json_string("a\"b\\c", "\"a\\\"b\\\\c\"");
	assert_json_string("\n\t\x01\x1f\x7f", "\"\\n\\t\\u0001\\u001f\\u007f\"");
	assert_json_string("</script>", "\"\\u003c/script>\"");
	assert_json_string("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
			   "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
}

/* The cases of RFC 3629: each byte that begins no good sequence is one U+FFFD. */
static void test_json_strings_that_are_not_utf8(void **state)
{
	(void)state;
	assert_json_string("\xff", "\"" NO_CHARACTER "\"");
	assert_json_string("a\x80z", "\"a" NO_CHARACTER "z\"");
	assert_json_string("\xc0\xaf", "\"" NO_CHARACTER NO_CHARACTER "\"");
	assert_json_string("\xe0\x80\xaf", "\"" NO_CHARACTER NO_CHARACTER NO_CHARACTER "\"");
	assert_json_string("\xed\xa0\x80", "\"" NO_CHARACTER NO_CHARACTER NO_CHARACTER "\"");
	assert_json_string("\xf4\x90\x80\x80",
			   "\"" NO_CHARACTER NO_CHARACTER NO_CHARACTER NO_CHARACTER "\"");
	/* Cut off in the middle. */
	assert_json_string("\xe2\x82", "\"" NO_CHARACTER NO_CHARACTER "\"");
	assert_json_string("\xf0\x9f\x98", "\"" NO_CHARACTER NO_CHARACTER NO_CHARACTER "\"");
	assert_json_string("\xc3"
			   "A",
			   "\"" NO_CHARACTER "A\"");
}

static void write_sample(FILE *out, enum json_layout layout)
{
	struct json json;

	json_init(&json, out, layout);
	json_begin_object(&json);
	json_key(&json, "a");
	json_begin_array(&json);
	json_u64(&json, UINT64_MAX);
	json_i64(&json, INT64_MIN);
	json_begin_object(&json);
	json_end_object(&json);
	json_begin_array(&json);
	json_end_array(&json);
	json_end_array(&json);
	json_key(&json, "b");
	json_bool(&json, true);
	json_key(&json, "c");
	json_null(&json);
	json_end_object(&json);
}

static void test_json_layouts(void **state)
{
	FILE *out = begin();

	(void)state;
	write_sample(out, JSON_COMPACT);
	assert_text(out, "{\"a\":[18446744073709551615,-9223372036854775808,{},[]],"
			 "\"b\":true,\"c\":null}");
	out = begin();
	write_sample(out, JSON_INDENTED);
	assert_text(out, "{\n\t\"a\": [\n\t\t18446744073709551615,\n\t\t-9223372036854775808,\n"
			 "\t\t{},\n\t\t[]\n\t],\n\t\"b\": true,\n\t\"c\": null\n}\n");
}

static void assert_json_double(double value, const char *expected)
{
	FILE *out = begin();
	struct json json;

	json_init(&json, out, JSON_COMPACT);
	json_double(&json, value);
	assert_text(out, expected);
}

static void test_json_doubles(void **state)
{
	(void)state;
	assert_json_double(0, "0");
	assert_json_double(0.1, "0.1");
	assert_json_double(1.0 / 3, "0.3333333333333333");
	assert_json_double(-2.5e300, "-2.5e+300");
	assert_json_double(1e14, "100000000000000");
	assert_json_double(-10000, "-10000");
	assert_json_double(1e15, "1e+15");
	assert_json_double(INFINITY, "null");
	assert_json_double(NAN, "null");
}

static void test_times(void **state)
{
	(void)state;
	assert_string_equal(figure_ns(0, "").text, "0");
	assert_string_equal(figure_ns(999, "").text, "999ns");
	assert_string_equal(figure_ns(1000, "").text, "1.00us");
	assert_string_equal(figure_ns(45120, " ").text, "45.1 us");
	assert_string_equal(figure_ns(999499, "").text, "999us");
	assert_string_equal(figure_ns(999500, "").text, "1.00ms");
	assert_string_equal(figure_ns(210400000, " ").text, "210 ms");
	assert_string_equal(figure_ns(9994999999, "").text, "9.99s");
	assert_string_equal(figure_ns(12345000000000, "").text, "3.43h");
	assert_string_equal(figure_ns(9999000000000, "").text, "9999s");
	assert_string_equal(figure_ns(UINT64_MAX, "").text, "5124096h");
}

static void test_counts(void **state)
{
	(void)state;
	assert_string_equal(figure_count(0).text, "0");
	assert_string_equal(figure_count(999999).text, "999999");
	assert_string_equal(figure_count(1000000).text, "1.00M");
	assert_string_equal(figure_count(999499999).text, "999M");
	assert_string_equal(figure_count(1234567890123).text, "1235G");
}

/* In the tables, figures of what happens in a day take six letters. */
static void test_widths(void **state)
{
	(void)state;
	for (uint64_t ns = 1; ns < 86400000000000ull; ns = ns * 101 / 100 + 1)
		assert_in_range(strlen(figure_ns(ns, "").text), 1, 6);
	for (uint64_t count = 1; count < 900000000000ull; count = count * 101 / 100 + 1)
		assert_in_range(strlen(figure_count(count).text), 1, 6);
}

static void assert_name(const char *name, int width, int pad, const char *expected)
{
	FILE *out = begin();

	text_print_name(out, name, width, pad);
	assert_text(out, expected);
}

static void test_names(void **state)
{
	(void)state;
	assert_name("loop48", -1, 0, "loop48");
	assert_name("loop48", 10, 10, "loop48    ");
	assert_name("loop48", 6, 6, "loop48");
	assert_name("loop48", 5, 5, "lo...");
	assert_name("\xc3\xa4\xc3\xa4", 10, 4, "\xc3\xa4\xc3\xa4  ");
	assert_name("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 4, 4, "\xc3\xa4...");
	/* The line of a source is kept, as long as it leaves room for the rest. */
	assert_name("for particles.c:131", 19, 19, "for particles.c:131");
	assert_name("for particles.c:131", 18, 18, "for particl...:131");
	assert_name("for particles.c:131", 12, 14, "for p...:131  ");
	assert_name("for particles.c:131", 11, 11, "for part...");
	assert_name("for particles.c:", 12, 12, "for parti...");
	assert_name("131131131131131", 12, 12, "131131131...");
	/* Escape sequences, C1 controls and what is no UTF-8 reach no terminal. */
	assert_name("a\x1b[31m\x07\xc2\x9b\xff", -1, 0, "a?[31m???");
	assert_int_equal(text_columns("a\x1b\xc3\xa4\xff"), 4);
}

static void assert_number(double number, const char *expected)
{
	assert_string_equal(figure_number(number).text, expected);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_number(0, "0");
	assert_number(0.00049, "5e-04");
	assert_number(0.00123, "0.00123");
	assert_number(0.0123, "0.0123");
	assert_number(0.5, "0.500");
	assert_number(0.9996, "1.00");
	assert_number(1.5, "1.50");
	assert_number(99.96, "100");
	assert_number(123456, "123456");
	assert_number(999999.6, "1.00M");
	assert_number(12.34e6, "12.3M");
	assert_number(1e9, "1.00G");
	assert_number(-0.5, "-0.500");
	assert_number(-1340.2, "-1340");
	assert_number(-12.34e6, "-12.3M");
}

static void test_errors(void **state)
{
	(void)state;
	assert_string_equal(figure_error(0, 10).text, "0");
	assert_string_equal(figure_error(1, 4).text, "25.0%");
	assert_string_equal(figure_error(1, 400).text, "0.25%");
	assert_string_equal(figure_error(9, 4).text, "225%");
	assert_string_equal(figure_error(1000, 4).text, ">999%");
	assert_string_equal(figure_error(1000, 0).text, "<1000");
	assert_string_equal(figure_error(0, 0).text, "0");
}

static void assert_source(uint64_t data_src, const char *expected)
{
	char text[DATA_SOURCE_MAX_BYTES];

	data_source_text(data_src, text);
	assert_string_equal(text, expected);
}

#define OP(bits) PERF_MEM_S(OP, bits)
#define LVL(bits) PERF_MEM_S(LVL, bits)
#define NUM(bits) PERF_MEM_S(LVLNUM, bits)
#define SNOOP(bits) PERF_MEM_S(SNOOP, bits)
#define TLB(bits) PERF_MEM_S(TLB, bits)

static void test_data_sources(void **state)
{
	(void)state;
	assert_source(0, "-");
	assert_source(OP(NA) | LVL(NA) | SNOOP(NA) | TLB(NA) | NUM(NA), "-");
	assert_source(OP(LOAD) | LVL(L1) | LVL(HIT) | SNOOP(NONE) | TLB(L1) | TLB(L2) | TLB(HIT),
		      "load,L1,hit,snoop-none,TLB-L1-L2-hit");
	assert_source(OP(STORE) | LVL(L1) | LVL(MISS) | TLB(WK) | TLB(MISS),
		      "store,L1,miss,TLB-walk-miss");
	/* The number of the level is the newer word for it. */
	assert_source(OP(LOAD) | NUM(LFB) | LVL(LFB) | LVL(HIT), "load,LFB,hit");
	assert_source(OP(LOAD) | NUM(RAM) | PERF_MEM_S(REMOTE, REMOTE) | SNOOP(MISS),
		      "load,RAM,remote,snoop-miss");
	assert_source(OP(LOAD) | LVL(REM_CCE1) | LVL(HIT) | SNOOP(HITM),
		      "load,remote-cache,hit,snoop-hitm");
	assert_source(OP(LOAD) | NUM(L3) | PERF_MEM_S(SNOOPX, PEER) | PERF_MEM_S(LOCK, LOCKED),
		      "load,L3,snoop-peer,locked");
	/* Everything at once is cut off, not overrun. */
	data_source_text(UINT64_MAX, (char[DATA_SOURCE_MAX_BYTES]){ 0 });
}

static void assert_wrapped(const char *wanted, const char *given, int width, int indent)
{
	FILE *out = begin();

	text_print_wrapped(out, given, width, indent);
	assert_text(out, wanted);
}

static void test_wrapping(void **state)
{
	(void)state;
	assert_wrapped("", "", 10, 2);
	assert_wrapped("one two", "one two", 9, 2);
	assert_wrapped("one\n  two", "one two", 8, 2);
	assert_wrapped("longer than a line\n    it is", "longer than a line it is", 22, 4);
	assert_wrapped("unbreakable\nx", "unbreakable x", 5, 0);
	assert_wrapped("\xc3\xa4\xc3\xa4 \xc3\xa4\n b", "\xc3\xa4\xc3\xa4 \xc3\xa4 b", 5, 1);
	assert_wrapped("a?b c?",
		       "a\x1b"
		       "b c\n",
		       20, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrapping),
		cmocka_unit_test(test_json_strings),
		cmocka_unit_test(test_json_strings_that_are_not_utf8),
		cmocka_unit_test(test_json_layouts),
		cmocka_unit_test(test_json_doubles),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_data_sources),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
