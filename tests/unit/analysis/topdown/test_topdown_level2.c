// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/analysis/topdown/topdown_runs.c tests/unit/analysis/topdown/topdown_ways.c tests/lib/events.c tests/lib/model_check.c */
/*
 * What divides the figures of level 1, by the events of each CPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "topdown_runs.h"

static void check_frontend(const struct topdown_row *row, const struct truth *truth)
{
	topdown_check(row, TOPDOWN_FETCH_LATENCY, truth->latency);
	topdown_check(row, TOPDOWN_FETCH_BANDWIDTH, truth->front - truth->latency);
}

static void check_bad_speculation(const struct topdown_row *row, const struct truth *truth)
{
	topdown_check(row, TOPDOWN_BRANCH_MISPREDICTS, truth->branches);
	topdown_check(row, TOPDOWN_MACHINE_CLEARS, truth->bad - truth->branches);
}

static void check_retiring(const struct topdown_row *row, const struct truth *truth)
{
	topdown_check(row, TOPDOWN_HEAVY_OPERATIONS, truth->heavy);
	topdown_check(row, TOPDOWN_LIGHT_OPERATIONS, truth->retiring - truth->heavy);
}

static void check_level2(const struct way *way, bool has_all)
{
	struct topdown_run run = { .way = way, .nr = 20 };
	struct topdown_result result = topdown_run_compute(&run);

	assert_true(result.topdown.divides_slots);
	for (size_t i = 0; i < 3; i++) {
		const struct topdown_row *row = topdown_row_of(&result, topdown_tasks[i].task);

		topdown_check_slots(row, topdown_tasks[i].truth);
		check_bad_speculation(row, topdown_tasks[i].truth);
		if (has_all) {
			check_frontend(row, topdown_tasks[i].truth);
			check_retiring(row, topdown_tasks[i].truth);
		} else {
			topdown_check_unknown(row, TOPDOWN_FETCH_LATENCY);
			topdown_check_unknown(row, TOPDOWN_FETCH_BANDWIDTH);
			topdown_check_unknown(row, TOPDOWN_HEAVY_OPERATIONS);
			topdown_check_unknown(row, TOPDOWN_LIGHT_OPERATIONS);
		}
		assert_int_equal(row->doubt, TOPDOWN_SURE);
	}
	topdown_run_end(&result);
}

static void test_level2(void **state)
{
	(void)state;
	check_level2(&haswell_2, true);
	check_level2(&skylake_2, true);
	check_level2(&ice_lake_2, true);
	check_level2(&mispredict_slots, false);
	check_level2(&metrics_2, true);
	check_level2(&zen4_2, true);
	check_level2(&zen5_2, true);
}

/* Of level 1 and the back end, nothing of the rest of level 2 follows. */
static void test_not_divided(void **state)
{
	struct topdown_run run = { .way = &zen4, .nr = 20 };
	struct topdown_result result = topdown_run_compute(&run);

	(void)state;
	assert_false(result.topdown.divides_slots);
	for (size_t i = TOPDOWN_FETCH_LATENCY; i <= TOPDOWN_LIGHT_OPERATIONS; i++)
		topdown_check_unknown(topdown_row_of(&result, "chasing"), (enum topdown_figure)i);
	topdown_run_end(&result);
}

/* A rest is not below 0, where a part is counted as more than the whole; and nothing divides what no restart is counted of. */
static void count_too_much(const struct truth *truth, uint64_t *counts)
{
	metrics_2.count(truth, counts);
	counts[6] = counts[3] * 11 / 10;
	counts[7] = counts[2] * 11 / 10;
	counts[8] = counts[1] * 11 / 10;
}

static void count_no_restarts(const struct truth *truth, uint64_t *counts)
{
	skylake_2.count(truth, counts);
	counts[6] = counts[7] = 0;
}

static void test_rests(void **state)
{
	struct way way = metrics_2;
	struct topdown_run run = { .way = &way, .nr = 20 };
	struct topdown_result result;
	const struct topdown_row *row;

	(void)state;
	way.count = count_too_much;
	result = topdown_run_compute(&run);
	row = topdown_row_of(&result, "branching");
	topdown_check(row, TOPDOWN_FETCH_LATENCY, 0.22);
	topdown_check(row, TOPDOWN_FETCH_BANDWIDTH, 0);
	topdown_check(row, TOPDOWN_BRANCH_MISPREDICTS, 0.33);
	topdown_check(row, TOPDOWN_MACHINE_CLEARS, 0);
	topdown_check(row, TOPDOWN_HEAVY_OPERATIONS, 0.44);
	topdown_check(row, TOPDOWN_LIGHT_OPERATIONS, 0);
	topdown_run_end(&result);
	way = skylake_2;
	way.count = count_no_restarts;
	result = topdown_run_compute(&run);
	row = topdown_row_of(&result, "branching");
	topdown_check(row, TOPDOWN_BAD_SPECULATION, branching.bad);
	topdown_check_unknown(row, TOPDOWN_BRANCH_MISPREDICTS);
	topdown_check_unknown(row, TOPDOWN_MACHINE_CLEARS);
	check_frontend(row, &branching);
	topdown_run_end(&result);
}

/* By hand, microcode may be counted on a CPU on which heavy operations are more than that. */
static void test_microcode_of_others(void **state)
{
	struct way way = haswell_2;
	struct topdown_run run = { .way = &way, .nr = 20 };
	struct topdown_result result;

	(void)state;
	way.names[8] = "IDQ:MS_UOPS";
	result = topdown_run_compute(&run);
	topdown_check_unknown(topdown_row_of(&result, "branching"), TOPDOWN_HEAVY_OPERATIONS);
	check_frontend(topdown_row_of(&result, "branching"), &branching);
	topdown_run_end(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_level2),
		cmocka_unit_test(test_not_divided),
		cmocka_unit_test(test_rests),
		cmocka_unit_test(test_microcode_of_others),
	};

	return cmocka_run_group_tests(tests, topdown_open_strings, topdown_close_strings);
}
