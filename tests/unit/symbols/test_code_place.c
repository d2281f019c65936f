// SPDX-License-Identifier: GPL-2.0
/*
 * Places in names of annotations: what is one, and what is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/names/code_place.h"

/* "WORD|@|PATH|BUILDID|ADDRESS"; "" if @name is no place. */
static const char *parsed(const char *name)
{
	static char text[600];
	struct code_place place;

	text[0] = '\0';
	if (code_place_parse(name, &place))
		snprintf(text, sizeof(text), "%.*s|%c|%.*s|%.*s|%llx", (int)place.word_bytes, name,
			 place.wants_function ? '&' : '@', (int)place.path_bytes, place.path,
			 (int)place.build_id_bytes, place.build_id,
			 (unsigned long long)place.address);
	return text;
}

static void expect(const char *name, const char *wanted)
{
	assert_string_equal(parsed(name), wanted);
}

static void expect_none(const char *name)
{
	expect(name, "");
}

static void test_places(void **state)
{
	(void)state;
	expect("for @/usr/bin/solver#1a2b3c4d5e6f7081+0x1234",
	       "for|@|/usr/bin/solver|1a2b3c4d5e6f7081|1234");
	expect("task &/usr/bin/solver#1a2b3c4d5e6f7081+0x1234",
	       "task|&|/usr/bin/solver|1a2b3c4d5e6f7081|1234");
	expect("for @/a+0x0", "for|@|/a||0");
	expect("for @/a+0xffffffffffffffff", "for|@|/a||ffffffffffffffff");
	expect("critical my lock @/lib/x.so.1+0x10", "critical my lock|@|/lib/x.so.1||10");
	expect("f @/a#00112233445566778899aabbccddeeff00112233+0x10",
	       "f|@|/a|00112233445566778899aabbccddeeff00112233|10");
}

/* Paths may have in them what separates. */
static void test_odd_paths(void **state)
{
	(void)state;
	expect("for @/my dir/a+0x1/b+0x2", "for|@|/my dir/a+0x1/b||2");
	expect("for @/a#b/c#0123456789abcdef+0x2", "for|@|/a#b/c|0123456789abcdef|2");
	expect("for @/a#name+0x2", "for|@|/a#name||2");
	expect("for @/a#abc+0x2", "for|@|/a#abc||2");
	expect("for @/a# +0x2", "for|@|/a# ||2");
	expect("a @/b+0x1 @/c+0x2", "a @/b+0x1|@|/c||2");
	expect("a @/b+0x1 &/c+0x2", "a @/b+0x1|&|/c||2");
	expect("for @/\xc3\xa4+0x2", "for|@|/\xc3\xa4||2");
	expect("for @/a (deleted)+0x2", "for|@|/a (deleted)||2");
}

static void test_others(void **state)
{
	(void)state;
	expect_none("");
	expect_none("loop48");
	expect_none("barrier @team");
	expect_none("@team");
	expect_none("+0x1");
	expect_none("@/a+0x1");
	expect_none(" @/a+0x1");
	expect_none("for @a+0x1");
	expect_none("for @./a+0x1");
	expect_none("for @[vdso]+0x1");
	expect_none("for @+0x1");
	expect_none("for @/+0x1");
	expect_none("for @/usr/bin/+0x1");
	expect_none("for @/#0123456789abcdef+0x1");
	expect_none("for@/a+0x1");
	expect_none("for %/a+0x1");
}

static void test_bad_addresses(void **state)
{
	(void)state;
	expect_none("for @/a");
	expect_none("for @/a+");
	expect_none("for @/a+0x");
	expect_none("for @/a+0y12");
	expect_none("for @/a+12");
	expect_none("for @/a0x12");
	expect_none("for @/a+0x12 ");
	expect_none("for @/a+0x-1");
	expect_none("for @/a+0xABC");
	expect_none("for @/a+0x00000000000000001");
	expect_none("for @/a+0xfffffffffffffffffffffffffffffffffffffffff");
	expect_none("for @/a+0x12g");
}

/* Warnings print the path. */
static void test_control_characters(void **state)
{
	(void)state;
	expect_none("for @/a\x1b[31m+0x1");
	expect_none("for @/a\nannot: b+0x1");
	expect_none("for @/a\x7f+0x1");
	expect_none("for @/a\xc2\x9b+0x1");
	expect_none("for @/a\xff+0x1");
	expect("\x1b[31m @/a+0x1", "\x1b[31m|@|/a||1");
}

/* Of a name of the greatest length nobody knows whether its address is whole. */
static void test_cut(void **state)
{
	char name[300];

	(void)state;
	for (int path_bytes = 200; path_bytes < 280; path_bytes++) {
		snprintf(name, sizeof(name), "for @/%0*d+0x123456", path_bytes, 0);
		name[255] = '\0';
		if (strlen(name) < 255)
			assert_string_not_equal(parsed(name), "");
		else
			expect_none(name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_odd_paths),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_bad_addresses),
		cmocka_unit_test(test_control_characters),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
