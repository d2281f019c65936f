// SPDX-License-Identifier: GPL-2.0
/* annot stat: lists of CPUs, and the scaling of counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "stat/counters.h"
#include "util/count_scale.h"
#include "util/text/cpu_list.h"

static void expect_cpus(const char *text, const char *wanted)
{
	struct cpu_list cpus;
	char list[64] = "";

	assert_true(cpu_list_parse(&cpus, text));
	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (cpus.has[cpu])
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%d ", cpu);
	}
	assert_string_equal(list, wanted);
}

static void reads_lists_of_cpus(void **state)
{
	(void)state;
	expect_cpus("0", "0 ");
	expect_cpus("0\n", "0 ");
	expect_cpus("0-3,8", "0 1 2 3 8 ");
	expect_cpus("5,1-2", "1 2 5 ");
	expect_cpus("8191", "8191 ");
}

static void refuses_what_is_no_list(void **state)
{
	static const char *const bad[] = {
		"",	"\n",  ",",    "1,",  ",1",    "a",   "1-",
		"-1",	"3-1", "8192", "1 2", "1-2-3", "0x1", "99999999999999999999",
		"1\n2",
	};
	struct cpu_list cpus;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (cpu_list_parse(&cpus, bad[i]))
			fail_msg("'%s' is taken for a list", bad[i]);
	}
}

static void scales_what_took_turns(void **state)
{
	(void)state;
	assert_int_equal(count_scale(1000, 100, 100), 1000);
	assert_int_equal(count_scale(1000, 100, 50), 2000);
	assert_int_equal(count_scale(1000, 300, 100), 3000);
	assert_int_equal(count_scale(1000, 100, 0), 0);
	assert_int_equal(count_scale(0, 100, 10), 0);
	/* Rounding of the two times may leave a few ns more of the part than of the whole. */
	assert_int_equal(count_scale(1000, 100, 101), 1000);
	/* The product does not fit into 64 bits. */
	assert_int_equal(count_scale(1ull << 40, 1ull << 41, 1ull << 40), 1ull << 41);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_lists_of_cpus),
		cmocka_unit_test(refuses_what_is_no_list),
		cmocka_unit_test(scales_what_took_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
