// SPDX-License-Identifier: GPL-2.0
/*
 * Names of C++ and of both manglings of Rust, held against what their sources say; and names that
 * are none, or are made to do harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/names/demangle.h"

static void expect(const char *mangled, const char *name)
{
	char *symbol = demangle_symbol(mangled, strlen(mangled));

	assert_string_equal(symbol, name);
	free(symbol);
}

static void expect_same(const char *name)
{
	expect(name, name);
}

static void test_cpp(void **state)
{
	(void)state;
	expect("_Z3fooi", "foo");
	expect("_ZN2ns3FooIiE3barEv", "ns::Foo<int>::bar");
	expect("_ZNSt6vectorIiSaIiEE9push_backEOi",
	       "std::vector<int, std::allocator<int> >::push_back");
	expect("_ZNK3MapixEm", "Map::operator[]");
	expect("_ZN3fooD1Ev", "foo::~foo");
	expect("_ZTV3Foo", "vtable for Foo");
	expect("_ZZN2ns3runEvENKUliE_clEi", "ns::run()::{lambda(int)#1}::operator()");
	expect("_ZN2ns3FooIiE3barEv.part.0", "ns::Foo<int>::bar");
}

static void test_rust_legacy(void **state)
{
	(void)state;
	expect("_ZN4core3fmt9Formatter3pad17h05af221e174051e9E", "core::fmt::Formatter::pad");
	expect("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$"
	       "3bar17h930b740aa94f1d3aE",
	       "<Test + 'static as foo::Bar<Test>>::bar");
}

/* Those of Rust's RFC 2603 are among them. */
static void test_rust_v0(void **state)
{
	(void)state;
	expect("_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function");
	expect("_RNvMs_Cs4Cv8Wi1oAIB_7mycrateNtB4_7Example3foo", "<mycrate::Example>::foo");
	expect("_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE",
	       "std::mem::align_of::<std::mem::Discriminant>");
	expect("_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}");
	expect("_RNvXs5_NtCsd4VYFwevHkG_8my_crate3modNtB5_3FooNtB5_3Bar3baz",
	       "<my_crate::mod::Foo as my_crate::mod::Bar>::baz");
}

static void test_others_stay(void **state)
{
	(void)state;
	expect_same("");
	expect_same("_");
	expect_same("main");
	expect_same("_start");
	expect_same("__do_softirq");
	expect_same("_Z");
	expect_same("_R");
	expect_same("_ZN");
	expect_same("_Zgarbage");
	expect_same("_RNvNvNvNv");
	/* The hash is missing, so C++ has a say. */
	expect("_ZN4core3fmt3padE", "core::fmt::pad");
}

/* No byte behind the name is looked at. */
static void test_no_nul(void **state)
{
	static const char name[] = "_Z3fooi@@VERSION_1";
	char *symbol = demangle_symbol(name, strcspn(name, "@"));

	(void)state;
	assert_string_equal(symbol, "foo");
	free(symbol);
}

/* The parts of a name that it can name again are "S_", "S0_", ... "SZ_", "S10_", ... */
static void put_again(FILE *out, unsigned int part)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (!part)
		fputs("S_", out);
	else if (part <= 36)
		fprintf(out, "S%c_", digits[part - 1]);
	else
		fprintf(out, "S1%c_", digits[part - 37]);
}

/*
 * "S_" is f, "S0_" is a, and from "S1_" on each type is a pair of the one before: the last of 60 would
 * take 2^60 words.
 */
static char *doubling_name(unsigned int nr)
{
	char *name = NULL;
	size_t bytes;
	FILE *out = open_memstream(&name, &bytes);

	fputs("_Z1fI1aIiiE", out);
	for (unsigned int i = 1; i <= nr; i++) {
		fputs("S0_I", out);
		put_again(out, i + 1);
		put_again(out, i + 1);
		fputc('E', out);
	}
	fputs("Evv", out);
	fclose(out);
	return name;
}

static void test_growing_name(void **state)
{
	char *name = doubling_name(60);

	(void)state;
	expect_same(name);
	free(name);
	name = doubling_name(2);
	expect(name, "f<a<int, int>, a<a<int, int>, a<int, int> >, "
		     "a<a<a<int, int>, a<int, int> >, a<a<int, int>, a<int, int> > > >");
	free(name);
}

static char *repeated(const char *head, const char *part, unsigned int nr, const char *tail)
{
	size_t bytes = strlen(head) + strlen(part) * nr + strlen(tail) + 1;
	char *name = malloc(bytes);

	assert_non_null(name);
	strcpy(name, head);
	for (unsigned int i = 0; i < nr; i++)
		strcpy(name + strlen(head) + i * strlen(part), part);
	strcat(name, tail);
	return name;
}

/* As deep as the name is long: not to be followed to the end of the stack. */
static void test_deep_names(void **state)
{
	static const char *const parts[][3] = {
		{ "_Z1fI", "P", "iEvv" },  { "_RNv", "Nv", "C1a1f" }, { "_RIC1a", "R", "lE" },
		{ "_RIC1a", "IC1a", "E" }, { "_Z1f", "1aI", "i" },    { "_ZN", "1a", "E" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char *name = repeated(parts[i][0], parts[i][1], 500000, parts[i][2]);

		expect_same(name);
		free(name);
	}
}

/* Whatever a name ends in, there is an answer, and it is short. */
static void test_cut_names(void **state)
{
	static const char *const names[] = {
		"_ZNSt6vectorIiSaIiEE9push_backEOi",
		"_ZZN2ns3runEvENKUliE_clEi",
		"_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
		"17h930b740aa94f1d3aE",
		"_RINvNtC3std3mem8align_ofNtNtC3std3mem12DiscriminantE",
		"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (size_t bytes = 0; bytes <= strlen(names[i]); bytes++) {
			char *exact = malloc(bytes ? bytes : 1), *symbol;

			assert_non_null(exact);
			memcpy(exact, names[i], bytes);
			symbol = demangle_symbol(exact, bytes);
			assert_true(strlen(symbol) <= DEMANGLE_MAX_BYTES);
			free(symbol);
			free(exact);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpp),	   cmocka_unit_test(test_rust_legacy),
		cmocka_unit_test(test_rust_v0),	   cmocka_unit_test(test_others_stay),
		cmocka_unit_test(test_no_nul),	   cmocka_unit_test(test_growing_name),
		cmocka_unit_test(test_deep_names), cmocka_unit_test(test_cut_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
