// SPDX-License-Identifier: GPL-2.0
/*
 * Functions in the sources, of the symbols that gcc and clang make for them and for parts of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/names/function_name.h"

static void expect(const char *symbol, const char *source, const char *part)
{
	char *name = function_name_of_source(symbol, strlen(symbol));

	assert_string_equal(name, source);
	free(name);
	name = function_name_of_part(symbol, strlen(symbol));
	assert_string_equal(name, part);
	free(name);
}

static void test_whole(void **state)
{
	(void)state;
	expect("main", "main", "main");
	expect("", "", "");
	expect("_ZN4shop4workIiEEvT_", "shop::work<int>", "shop::work<int>");
	/* Dots of Go, of older Rust, and of gfortran's inner procedures. */
	expect("main.work", "main.work", "main.work");
	expect("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$"
	       "3bar17h930b740aa94f1d3aE",
	       "<Test + 'static as foo::Bar<Test>>::bar",
	       "<Test + 'static as foo::Bar<Test>>::bar");
	expect("inner.0", "inner.0", "inner.0");
}

static void test_gcc(void **state)
{
	(void)state;
	expect("main._omp_fn.0", "main", "main._omp_fn.0");
	expect("MAIN__._omp_fn.12", "MAIN__", "MAIN__._omp_fn.12");
	expect("fib._omp_cpyfn.3", "fib", "fib._omp_cpyfn.3");
	expect("_ZN4shop4workIiEEvT_._omp_fn.0", "shop::work<int>", "shop::work<int>._omp_fn.0");
	expect("work.constprop.0", "work", "work.constprop.0");
	expect("work.isra.0.part.1", "work", "work.isra.0.part.1");
	expect("work.cold", "work", "work.cold");
	expect("main._omp_fn.0.cold", "main", "main._omp_fn.0.cold");
	expect("work.constprop.0._omp_fn.1", "work", "work.constprop.0._omp_fn.1");
}

static void test_clang(void **state)
{
	(void)state;
	expect(".omp_outlined.", "", ".omp_outlined.");
	expect(".omp_outlined..3", "", ".omp_outlined..3");
	expect(".omp_task_entry..5", "", ".omp_task_entry..5");
	expect("main.omp_outlined", "main", "main.omp_outlined");
	expect("_Z3foov.omp_outlined.2", "foo", "foo.omp_outlined.2");
	expect("work.llvm.1234567", "work", "work.llvm.1234567");
}

/* Only the first bytes are the symbol's. */
static void test_bytes(void **state)
{
	char *name = function_name_of_part("main.cold@VERSION", 9);

	(void)state;
	assert_string_equal(name, "main.cold");
	free(name);
	name = function_name_of_source("main.cold@VERSION", 4);
	assert_string_equal(name, "main");
	free(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_gcc),
		cmocka_unit_test(test_clang),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
