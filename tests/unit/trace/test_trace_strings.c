// SPDX-License-Identifier: GPL-2.0
/*
 * Interned strings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "trace/names/comm_cache.h"

static void test_equal_strings_are_one(void **state)
{
	struct string_table *table = string_table_new();
	uint32_t first = string_table_intern(table, "loop48", 6);
	uint32_t other = string_table_intern(table, "loop4", 5);

	(void)state;
	assert_int_not_equal(first, 0);
	assert_int_not_equal(first, other);
	assert_int_equal(string_table_intern(table, "loop48", 6), first);
	assert_int_equal(string_table_intern(table, "loop48xyz", 6), first);
	/* A NUL ends a string, whatever length is given. */
	assert_int_equal(string_table_intern(table, "loop4\0tail", 10), other);
	assert_string_equal(string_table_get(table, first), "loop48");
	assert_string_equal(string_table_get(table, other), "loop4");
	assert_int_equal(string_table_count(table), 3);
	/* To look for one adds none. */
	assert_int_equal(string_table_find(table, "loop48xyz", 6), first);
	assert_int_equal(string_table_find(table, "loop48xyz", 7), STRING_TABLE_NONE);
	assert_int_equal(string_table_find(table, "", 0), 0);
	assert_int_equal(string_table_count(table), 3);
	string_table_free(table);
}

static void test_none(void **state)
{
	struct string_table *table = string_table_new();

	(void)state;
	assert_int_equal(string_table_intern(table, "", 0), 0);
	assert_int_equal(string_table_intern(table, "\0x", 2), 0);
	assert_string_equal(string_table_get(table, 0), "");
	assert_string_equal(string_table_get(table, 1), "");
	assert_string_equal(string_table_get(table, UINT32_MAX), "");
	string_table_free(table);
}

static void test_comms(void **state)
{
	struct string_table *table = string_table_new();
	struct comm_cache cache = { 0 };
	char full[16], dirty[16] = "pe0";
	uint32_t id;

	(void)state;
	memset(full, 'x', sizeof(full));
	id = comm_cache_intern(&cache, table, full);
	assert_string_equal(string_table_get(table, id), "xxxxxxxxxxxxxxxx");
	id = comm_cache_intern(&cache, table, dirty);
	assert_string_equal(string_table_get(table, id), "pe0");
	/* What stands behind the NUL makes no other string, in the cache or out of it. */
	dirty[10] = 'x';
	assert_int_equal(comm_cache_intern(&cache, table, dirty), id);
	assert_int_equal(string_table_intern(table, "pe0", 3), id);
	memset(full, 0, sizeof(full));
	assert_int_equal(comm_cache_intern(&cache, table, full), 0);
	string_table_free(table);
}

/* Through every growth, ids and pointers stay good. */
static void test_many(void **state)
{
	enum {
		NR = 50000
	};
	struct string_table *table = string_table_new();
	const char **kept = calloc(NR, sizeof(*kept));
	char text[300];

	(void)state;
	for (uint32_t i = 0; i < NR; i++) {
		int bytes = snprintf(text, sizeof(text), "%0*u", (int)(i % 250) + 5, i);

		assert_int_equal(string_table_intern(table, text, (size_t)bytes), i + 1);
		kept[i] = string_table_get(table, i + 1);
	}
	for (uint32_t i = 0; i < NR; i++) {
		int bytes = snprintf(text, sizeof(text), "%0*u", (int)(i % 250) + 5, i);

		assert_string_equal(kept[i], text);
		assert_int_equal(string_table_intern(table, text, (size_t)bytes), i + 1);
	}
	assert_int_equal(string_table_count(table), NR + 1);
	free(kept);
	string_table_free(table);
}

/* Longer than a block of the arena. */
static void test_huge(void **state)
{
	enum {
		BYTES = 200000
	};
	struct string_table *table = string_table_new();
	char *huge = malloc(BYTES + 1);
	uint32_t id;

	(void)state;
	memset(huge, 'h', BYTES);
	huge[BYTES] = '\0';
	id = string_table_intern(table, huge, BYTES);
	assert_string_equal(string_table_get(table, id), huge);
	assert_int_equal(string_table_intern(table, "small", 5), id + 1);
	free(huge);
	string_table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_strings_are_one),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_comms),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_huge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
