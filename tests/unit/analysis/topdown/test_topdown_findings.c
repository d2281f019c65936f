// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/analysis/topdown/topdown_runs.c tests/unit/analysis/topdown/topdown_ways.c tests/lib/events.c tests/lib/model_check.c */
/*
 * Which figures of top-down are findings, and what these say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topdown_runs.h"

#define MS 1000000ull

static void test_findings(void **state)
{
	struct topdown_run run = { .way = &skylake, .nr = 20 };
	struct topdown_result result = topdown_run_compute(&run);
	const struct finding *memory = topdown_finding_of(&result, FINDING_MEMORY_BOUND);

	(void)state;
	assert_non_null(memory);
	assert_int_equal(memory->confidence, CONFIDENCE_HIGH);
	assert_string_equal(
		memory->text,
		"chasing: 80.0 % of its issue slots wait for memory, most of it for DRAM (45.0 % of its cycles)");
	assert_int_equal(memory->time_lost_ns, 0);
	assert_true(llabs((long long)memory->time_lost_at_most_ns - (long long)(16 * MS)) < 1000);
	assert_true(llabs((long long)memory->cpu_time_lost_ns - (long long)(16 * MS)) < 1000);
	assert_int_equal(memory->from_ns, 20 * MS);
	assert_int_equal(memory->to_ns, 40 * MS);
	assert_non_null(topdown_finding_of(&result, FINDING_BAD_SPECULATION));
	assert_non_null(topdown_finding_of(&result, FINDING_FRONTEND_BOUND));
	assert_non_null(strstr(topdown_finding_of(&result, FINDING_FRONTEND_BOUND)->text,
			       "branching: 20.0 %"));
	/* 14 % are core bound in computing, but not 20 % back-end bound. */
	assert_null(topdown_finding_of(&result, FINDING_CORE_BOUND));
	topdown_run_end(&result);
}

static void check_clauses(const struct way *way, const char *front, const char *bad)
{
	struct topdown_run run = { .way = way, .nr = 20 };
	struct topdown_result result = topdown_run_compute(&run);

	assert_string_equal(topdown_finding_of(&result, FINDING_FRONTEND_BOUND)->text, front);
	assert_string_equal(topdown_finding_of(&result, FINDING_BAD_SPECULATION)->text, bad);
	topdown_run_end(&result);
}

#define EMPTY "branching: 20.0 % of its issue slots are empty because no instruction was delivered"
#define WRONG "branching: 30.0 % of its issue slots are lost to instructions on the wrong path"

static void count_other_parts(const struct truth *truth, uint64_t *counts)
{
	struct truth other = *truth;

	other.latency = truth->front - truth->latency;
	other.branches = truth->bad - truth->branches;
	metrics_2.count(&other, counts);
}

/* What most of it is, where that is known. */
static void test_parts_in_findings(void **state)
{
	struct way other = metrics_2;

	(void)state;
	other.count = count_other_parts;
	check_clauses(&skylake, EMPTY, WRONG);
	check_clauses(&metrics_2, EMPTY ", most of it fetch latency (12.5 %)",
		      WRONG ", most of it branch mispredicts (25.0 %)");
	check_clauses(&other, EMPTY ", most of it fetch bandwidth (12.5 %)",
		      WRONG ", most of it machine clears (25.0 %)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_parts_in_findings),
	};

	return cmocka_run_group_tests(tests, topdown_open_strings, topdown_close_strings);
}
