// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "model/annotations/thread_local_name.h"

static void test_names(void **state)
{
	struct thread_local_name name;

	(void)state;
	assert_true(thread_local_name_parse("@thread_local 1a0 1a2b3c4d5e6f7081 /usr/bin/solver",
					    &name));
	assert_int_equal(name.bytes, 0x1a0);
	assert_int_equal(name.build_id_bytes, 16);
	assert_memory_equal(name.build_id, "1a2b3c4d5e6f7081", 16);
	assert_string_equal(name.path, "/usr/bin/solver");
	assert_true(
		thread_local_name_parse("@thread_local ffffffffffffffff - /a b/c #1+0x2", &name));
	assert_int_equal(name.bytes, UINT64_MAX);
	assert_int_equal(name.build_id_bytes, 0);
	assert_string_equal(name.path, "/a b/c #1+0x2");
}

static void test_damaged(void **state)
{
	static const char *const names[] = {
		"",
		"@thread_local",
		"@thread_local ",
		"@thread_local_end",
		"@thread_local 1a0",
		"@thread_local 1a0 ",
		"@thread_local 1a0 -",
		"@thread_local 1a0 - ",
		"@thread_local 1a0 - a",
		"@thread_local 1a0  /a",
		"@thread_local 1a0 -- /a",
		"@thread_local 1a0 0xab /a",
		"@thread_local  - /a",
		"@thread_local 0x1a0 - /a",
		"@thread_local -1 - /a",
		"@thread_local 12345678123456781 - /a",
		"thread_local 1a0 - /a",
	};
	struct thread_local_name name;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (thread_local_name_parse(names[i], &name))
			fail_msg("'%s' was parsed", names[i]);
	}
}

/* A name of the most bytes that a trace holds may be a part of a longer one. */
static void test_cut(void **state)
{
	char text[ANNOT_NAME_MAX_BYTES + 1];
	struct thread_local_name name;

	(void)state;
	memset(text, '0', sizeof(text));
	memcpy(text, "@thread_local 1 - /", strlen("@thread_local 1 - /"));
	text[ANNOT_NAME_MAX_BYTES] = '\0';
	assert_false(thread_local_name_parse(text, &name));
	text[ANNOT_NAME_MAX_BYTES - 1] = '\0';
	assert_true(thread_local_name_parse(text, &name));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
