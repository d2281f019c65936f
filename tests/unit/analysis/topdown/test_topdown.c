// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/analysis/topdown/topdown_runs.c tests/unit/analysis/topdown/topdown_ways.c tests/lib/events.c tests/lib/model_check.c */
/*
 * What level 1, memory bound and the levels of memory come to, by the events of each CPU; and what cannot be known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "topdown_runs.h"

static void check_way(const struct way *way, bool has_memory, bool has_levels)
{
	struct topdown_run run = { .way = way, .nr = 20 };
	struct topdown_result result = topdown_run_compute(&run);

	assert_true(result.topdown.is_computed);
	assert_int_equal(result.topdown.nr_tasks, 3);
	assert_int_equal(result.topdown.sides, EVENT_USER);
	for (size_t i = 0; i < 3; i++) {
		const struct topdown_row *row = topdown_row_of(&result, topdown_tasks[i].task);

		topdown_check_slots(row, topdown_tasks[i].truth);
		if (has_memory)
			topdown_check_memory(row, topdown_tasks[i].truth);
		else
			topdown_check_unknown(row, TOPDOWN_MEMORY_BOUND);
		if (has_levels)
			topdown_check_levels(row, topdown_tasks[i].truth);
		else
			topdown_check_unknown(row, TOPDOWN_DRAM_BOUND);
		assert_int_equal(row->doubt, TOPDOWN_SURE);
		assert_true(row->measured > 0.999);
		assert_true(row->has_error && row->error < 1e-9);
	}
	assert_int_equal(result.topdown.nr_threads, 1);
	topdown_check(result.topdown.threads, TOPDOWN_RETIRING,
		      (computing.retiring + chasing.retiring + branching.retiring) / 3);
	topdown_run_end(&result);
}

static void test_ways(void **state)
{
	(void)state;
	check_way(&haswell, false, true);
	check_way(&skylake, true, true);
	check_way(&ice_lake, false, false);
	check_way(&sapphire_rapids, true, true);
	check_way(&metrics, true, false);
	check_way(&zen4, true, false);
	check_way(&zen5, true, false);
}

/* Zen counts what the other thread of a core gets. */
static void test_contention(void **state)
{
	static const struct truth beside = {
		.retiring = 0.3, .bad = 0.1, .front = 0.1, .memory = 0.3, .core = 0.2, .smt = 0.2
	};
	struct topdown_run run = { .way = &zen4, .nr = 20, .has_siblings = true };
	uint64_t counts[MOST_EVENTS];
	struct topdown_result result;

	(void)state;
	zen4.count(&beside, counts);
	assert_int_equal(counts[3], topdown_number(6 * CYCLES * 0.2));
	result = topdown_run_compute(&run);
	topdown_check(topdown_row_of(&result, "chasing"), TOPDOWN_SMT_CONTENTION, 0);
	assert_int_equal(topdown_row_of(&result, "chasing")->doubt, TOPDOWN_SURE);
	topdown_run_end(&result);
}

/* Before Ice Lake, slots are those of the core. */
static void test_siblings(void **state)
{
	struct topdown_run run = { .way = &skylake, .nr = 20, .has_siblings = true };
	struct topdown_result result = topdown_run_compute(&run);

	(void)state;
	topdown_check_slots(topdown_row_of(&result, "chasing"), &chasing);
	assert_int_equal(topdown_row_of(&result, "chasing")->doubt, TOPDOWN_SMT);
	assert_int_equal(result.findings.nr, 0);
	topdown_run_end(&result);
}

/* What an event is needed for is unknown without it, and nothing else. */
static void test_refused(void **state)
{
	struct topdown_run run = { .way = &skylake, .nr = 20, .left_out = 4 };
	struct topdown_result result = topdown_run_compute(&run);
	const struct topdown_row *row = topdown_row_of(&result, "chasing");

	(void)state;
	topdown_check(row, TOPDOWN_RETIRING, chasing.retiring);
	topdown_check(row, TOPDOWN_BAD_SPECULATION, chasing.bad);
	topdown_check_unknown(row, TOPDOWN_FRONTEND_BOUND);
	topdown_check_unknown(row, TOPDOWN_BACKEND_BOUND);
	topdown_check_unknown(row, TOPDOWN_MEMORY_BOUND);
	topdown_check_unknown(row, TOPDOWN_CORE_BOUND);
	topdown_check_levels(row, &chasing);
	assert_int_equal(row->doubt, TOPDOWN_SURE);
	topdown_run_end(&result);
	run.left_out = 1;
	result = topdown_run_compute(&run);
	assert_false(result.topdown.is_computed);
	topdown_run_end(&result);
}

static void count_wrongly(const struct truth *truth, uint64_t *counts)
{
	sapphire_rapids.count(truth, counts);
	counts[2] /= 2;
}

/* Events that do not fit together. */
static void test_sum(void **state)
{
	struct way way = sapphire_rapids;
	struct topdown_run run = { .way = &way, .nr = 20 };
	struct topdown_result result;

	(void)state;
	way.count = count_wrongly;
	result = topdown_run_compute(&run);
	assert_int_equal(topdown_row_of(&result, "chasing")->doubt, TOPDOWN_SUM);
	assert_int_equal(topdown_row_of(&result, "computing")->doubt, TOPDOWN_SURE);
	topdown_run_end(&result);
}

static void count_nothing(const struct truth *truth, uint64_t *counts)
{
	skylake.count(truth, counts);
	memset(&counts[1], 0, 12 * sizeof(*counts));
}

/* Where events do not count, as in an emulator, all seems to be back-end bound. */
static void test_nothing(void **state)
{
	struct way way = skylake;
	struct topdown_run run = { .way = &way, .nr = 20 };
	struct topdown_result result;

	(void)state;
	way.count = count_nothing;
	result = topdown_run_compute(&run);
	assert_int_equal(topdown_row_of(&result, "chasing")->doubt, TOPDOWN_NOTHING);
	assert_int_equal(result.findings.nr, 0);
	topdown_run_end(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),	 cmocka_unit_test(test_contention),
		cmocka_unit_test(test_siblings), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_sum),	 cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, topdown_open_strings, topdown_close_strings);
}
