// SPDX-License-Identifier: GPL-2.0
/*
 * Which records are the same event, from another buffer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trace/decode/dedup.h"

#define CPU 3

static bool has(struct dedup *dedup, int cpu, int buffer, uint64_t time_ns, const char *bytes)
{
	const struct raw_record record = {
		.time_ns = time_ns,
		.data = (const uint8_t *)bytes,
		.size = (uint32_t)strlen(bytes),
		.buffer = buffer,
	};

	return dedup_is_repeat(dedup, cpu, &record);
}

static void test_each_buffer_once(void **state)
{
	struct dedup *dedup = dedup_new();

	(void)state;
	for (int round = 0; round < 100; round++) {
		uint64_t now = 1000u * (uint64_t)round;

		assert_false(has(dedup, CPU, 63, now, "event"));
		for (int buffer = 0; buffer < 63; buffer++)
			assert_true(has(dedup, CPU, buffer, now + (uint64_t)buffer, "event"));
	}
	dedup_free(dedup);
}

static void test_other_bytes_and_cpus(void **state)
{
	struct dedup *dedup = dedup_new();

	(void)state;
	assert_false(has(dedup, CPU, 0, 1000, "event"));
	assert_false(has(dedup, CPU, 1, 1000, "evenT"));
	assert_false(has(dedup, CPU, 1, 1000, "event."));
	assert_false(has(dedup, CPU + 1, 1, 1000, "event"));
	assert_false(has(dedup, 0, 1, 1000, "event"));
	assert_true(has(dedup, CPU, 1, 1000, "event"));
	dedup_free(dedup);
}

/* The same bytes from the same buffer are another event, which the other buffer repeats as well. */
static void test_alike(void **state)
{
	struct dedup *dedup = dedup_new();

	(void)state;
	assert_false(has(dedup, CPU, 0, 1000, "event"));
	assert_false(has(dedup, CPU, 0, 1001, "event"));
	assert_true(has(dedup, CPU, 1, 1002, "event"));
	assert_true(has(dedup, CPU, 1, 1003, "event"));
	assert_false(has(dedup, CPU, 1, 1004, "event"));
	assert_true(has(dedup, CPU, 0, 1005, "event"));
	dedup_free(dedup);
}

/* Between the first buffer and the second, an interrupt comes, which both have. */
static void test_interrupted(void **state)
{
	struct dedup *dedup = dedup_new();

	(void)state;
	assert_false(has(dedup, CPU, 0, 1000, "event"));
	assert_false(has(dedup, CPU, 0, 1001, "interrupt"));
	assert_true(has(dedup, CPU, 1, 1002, "interrupt"));
	assert_true(has(dedup, CPU, 1, 1003, "event"));
	dedup_free(dedup);
}

/* Where one buffer has lost it, what is like it much later is not the same. */
static void test_long_ago(void **state)
{
	struct dedup *dedup = dedup_new();

	(void)state;
	assert_false(has(dedup, CPU, 0, 1000, "event"));
	assert_false(has(dedup, CPU, 1, 2000001000, "event"));
	dedup_free(dedup);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_buffer_once),
		cmocka_unit_test(test_other_bytes_and_cpus),
		cmocka_unit_test(test_alike),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_long_ago),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
