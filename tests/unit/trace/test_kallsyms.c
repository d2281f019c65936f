// SPDX-License-Identifier: GPL-2.0
/* The kernel's symbols are found by address, in whatever order they stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "trace/file/kallsyms.h"

static void assert_found(const struct kallsyms *kallsyms, uint64_t address, const char *name)
{
	struct kernel_symbol symbol;

	assert_true(kallsyms_find(kallsyms, address, &symbol));
	assert_int_equal(symbol.name_bytes, strlen(name));
	assert_memory_equal(symbol.name, name, symbol.name_bytes);
	assert_int_equal(symbol.offset, address & 0xf);
}

/* @text has four symbols. */
static void check_four(const char *text)
{
	struct kallsyms *kallsyms = kallsyms_new(strdup(text));
	struct kernel_symbol symbol;

	assert_int_equal(kallsyms_count(kallsyms), 4);
	assert_found(kallsyms, 0x10, "first");
	assert_found(kallsyms, 0x23, "second");
	assert_found(kallsyms, 0x3f, "third");
	assert_found(kallsyms, 0x48, "fourth");
	assert_false(kallsyms_find(kallsyms, 0xf, &symbol));
	kallsyms_free(kallsyms);
}

static void test_any_order(void **state)
{
	(void)state;
	check_four("10 T first\n20 t second\n30 T third\n40 T fourth\n");
	/* Modules behind the kernel, each of its own order. */
	check_four("10 T first\n20 t second\n40 T fourth\t[b]\n30 T third\t[a]\n");
	check_four("10 T first\n40 T fourth\n20 t second\t[b]\n30 T third\t[a]\n");
	check_four("20 t second\n40 T fourth\n30 T third\n10 T first\n");
	check_four("40 T fourth\n30 T third\n20 t second\n10 T first\n");
}

static void test_code_goes_first(void **state)
{
	struct kallsyms *kallsyms =
		kallsyms_new(strdup("10 D data\n10 D more\n20 d before\n20 t code\n20 T later\n"));

	(void)state;
	assert_found(kallsyms, 0x12, "data");
	assert_found(kallsyms, 0x22, "code");
	kallsyms_free(kallsyms);
}

static void test_none(void **state)
{
	struct kallsyms *kallsyms =
		kallsyms_new(strdup("no symbols\n0 T nowhere\n10 A absolute\n"));
	struct kernel_symbol symbol;

	(void)state;
	assert_int_equal(kallsyms_count(kallsyms), 0);
	assert_false(kallsyms_find(kallsyms, UINT64_MAX, &symbol));
	kallsyms_free(kallsyms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_code_goes_first),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
