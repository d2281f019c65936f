// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks by id: equal ones are one; the module's numbers may be used before they are told, told again, and
 * mean another stack later.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trace/names/stack_table.h"

static struct trace_stack stack_of(const uint64_t *ips, size_t nr, int32_t tgid)
{
	return (struct trace_stack){ .ips = ips, .nr = nr, .tgid = tgid };
}

static void expect(const struct stack_table *table, uint32_t id, const uint64_t *ips, size_t nr)
{
	const struct trace_stack stack = stack_table_get(table, id);

	assert_int_equal(stack.nr, nr);
	if (nr)
		assert_memory_equal(stack.ips, ips, nr * sizeof(*ips));
}

static void test_equal(void **state)
{
	struct stack_table *table = stack_table_new();
	const uint64_t ips[] = { 1, 2, 3 };
	struct trace_stack stack = stack_of(ips, 3, 7), shorter = stack_of(ips, 2, 7),
			   other = stack_of(ips, 3, 8), none = stack_of(ips, 0, 7);
	uint32_t id = stack_table_intern(table, &stack);

	(void)state;
	assert_int_equal(id, 1);
	assert_int_equal(stack_table_intern(table, &stack), id);
	assert_int_equal(stack_table_intern(table, &shorter), 2);
	assert_int_equal(stack_table_intern(table, &other), 3);
	stack.is_kernel = true;
	assert_int_equal(stack_table_intern(table, &stack), 4);
	assert_int_equal(stack_table_intern(table, &none), 0);
	assert_int_equal(stack_table_count(table), 5);
	expect(table, 0, NULL, 0);
	expect(table, 1000, NULL, 0);
	stack_table_free(table);
}

/* As many as make the table grow; one that is too long loses its outermost frames, and is not whole. */
static void test_many(void **state)
{
	struct stack_table *table = stack_table_new();
	uint64_t ips[STACK_MOST_FRAMES + 1] = { 0 };
	struct trace_stack stack = stack_of(ips, 5, 1);

	(void)state;
	for (uint64_t i = 1; i <= 5000; i++) {
		ips[3] = i * i;
		assert_int_equal(stack_table_intern(table, &stack), i);
	}
	for (uint64_t i = 1; i <= 5000; i++) {
		ips[3] = i * i;
		assert_int_equal(stack_table_intern(table, &stack), i);
		expect(table, (uint32_t)i, ips, 5);
	}
	stack.nr = STACK_MOST_FRAMES + 1;
	stack.is_whole = true;
	expect(table, stack_table_intern(table, &stack), ips, STACK_MOST_FRAMES);
	assert_false(stack_table_get(table, 5001).is_whole);
	stack_table_free(table);
}

static void test_told(void **state)
{
	struct stack_table *table = stack_table_new();
	const uint64_t first[] = { 1, 2 }, second[] = { 3 };
	const struct trace_stack one = stack_of(first, 2, 7), two = stack_of(second, 1, 7);
	uint32_t early, untold, later;

	(void)state;
	assert_int_equal(stack_table_use(table, 0), 0);
	/* Used before it is told. */
	early = stack_table_use(table, 70);
	untold = stack_table_use(table, 71);
	assert_int_not_equal(early, untold);
	expect(table, early, NULL, 0);
	stack_table_tell(table, 70, &one);
	expect(table, early, first, 2);
	/* Told again; then the number means another one, and what was used keeps its own. */
	stack_table_tell(table, 70, &one);
	assert_int_equal(stack_table_use(table, 70), early);
	stack_table_tell(table, 70, &two);
	later = stack_table_use(table, 70);
	assert_int_not_equal(later, early);
	expect(table, later, second, 1);
	expect(table, early, first, 2);
	/* Told before it is used. */
	stack_table_tell(table, 72, &two);
	assert_int_equal(stack_table_use(table, 72), later);
	expect(table, untold, NULL, 0);
	stack_table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_told),
	};

	return cmocka_run_group_tests_name("stack table", tests, NULL, NULL);
}
