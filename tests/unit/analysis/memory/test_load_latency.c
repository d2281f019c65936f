// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * How long loads took, and what misses cost, from made-up samples whose latencies are known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/perf_event.h>

#include <uapi/annot.h>

#include "analysis/memory/load_latency.h"
#include "analysis/memory/miss_costs.h"
#include "events.h"
#include "util/random.h"

#define A 101
#define OUTER 20u
#define INNER 21u
#define EVENT 11u
#define HAS_BOTH (ANNOT_SAMPLE_HAS_WEIGHT | ANNOT_SAMPLE_HAS_DATA_SRC)

#define LOAD ((uint64_t)PERF_MEM_OP_LOAD << PERF_MEM_OP_SHIFT)
#define STORE ((uint64_t)PERF_MEM_OP_STORE << PERF_MEM_OP_SHIFT)
#define FOUND_IN(level)                                                                    \
	((uint64_t)PERF_MEM_LVL_HIT << PERF_MEM_LVL_SHIFT | (uint64_t)PERF_MEM_LVL_##level \
								    << PERF_MEM_LVL_SHIFT)
#define L1_LOAD (LOAD | FOUND_IN(L1))
#define L2_LOAD (LOAD | FOUND_IN(L2))
#define L3_LOAD (LOAD | FOUND_IN(L3))
#define RAM_LOAD (LOAD | FOUND_IN(LOC_RAM))
#define TAKEN_LOAD (L3_LOAD | (uint64_t)PERF_MEM_SNOOP_HITM << PERF_MEM_SNOOP_SHIFT)

static struct model_builder *builder;
static uint64_t now_ns;

struct event_told {
	bool by_ratio;
	bool is_filtered;
	uint64_t threshold_cycles;
};

static void add_event(uint8_t index, const struct event_told *told)
{
	struct trace_event event = { .time_ns = now_ns, .kind = TRACE_PMU_EVENT };

	event.pmu_event.event = index;
	event.pmu_event.text = EVENT + index;
	event.pmu_event.name = EVENT + index;
	event.pmu_event.period = 100;
	event.pmu_event.user = true;
	event.pmu_event.by_ratio = told->by_ratio;
	event.pmu_event.is_filtered = told->is_filtered;
	event.pmu_event.threshold_cycles = told->threshold_cycles;
	model_builder_feed(builder, &event);
}

/* One or two events. */
static void begin(const struct event_told *told, const struct event_told *other)
{
	builder = script_begin();
	now_ns = 1000;
	add_event(0, told);
	if (other)
		add_event(1, other);
	feed_switch_at(now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(now_ns, 0, A);
}

static void add_sample(uint8_t index, uint8_t has, uint64_t data_src, uint64_t cycles)
{
	struct trace_event event = { .kind = TRACE_SAMPLE, .tid = A };

	event.time_ns = now_ns += 10;
	event.sample.event = index;
	event.sample.period = 100;
	event.sample.ip = 0x400000;
	event.sample.has = ANNOT_SAMPLE_USER | has;
	event.sample.data_src = data_src;
	event.sample.weight = cycles;
	model_builder_feed(builder, &event);
}

static void add_loads(uint8_t index, uint64_t data_src, uint64_t cycles, unsigned int nr)
{
	while (nr--)
		add_sample(index, HAS_BOTH, data_src, cycles);
}

struct computed {
	struct model *model;
	struct task_stats *stats;
	struct load_latency latency;
};

static struct computed compute(void)
{
	struct computed got;

	feed_switch_at(now_ns += 10, 0, A, 0, TRACE_OUT_DEAD);
	got.model = script_end();
	got.stats = task_stats_compute(got.model);
	got.latency = load_latency_compute(got.model, got.stats);
	return got;
}

static void computed_free(struct computed *got)
{
	load_latency_free(&got->latency);
	task_stats_free(got->stats);
	model_free(got->model);
}

static void expect_percentile(const struct latency_percentile *percentile, uint64_t cycles,
			      uint64_t low, uint64_t high)
{
	assert_int_equal(percentile->cycles, cycles);
	assert_int_equal(percentile->has_low, low != 0);
	assert_int_equal(percentile->has_high, high != 0);
	assert_int_equal(percentile->low_cycles, low);
	assert_int_equal(percentile->high_cycles, high);
}

/* 1 to 100 cycles in one task, of which the last 40 come from L3; the ranks are those of Hahn and Meeker's tables. */
static void test_percentiles(void **state)
{
	const struct load_latency_row *row;
	struct computed got;

	(void)state;
	begin(&(struct event_told){ 0 }, NULL);
	feed_begin_at(now_ns, 0, A, OUTER, TRACE_SPAN_WORK);
	for (unsigned int i = 0; i < 100; i++)
		add_loads(0, i < 60 ? L2_LOAD : L3_LOAD, 100 - i * 37 % 100, 1);
	feed_end_at(now_ns += 10, 0, A);
	got = compute();
	assert_int_equal(got.latency.nr_rows, 2);
	assert_int_equal(got.latency.rows[0].task, NO_TASK);
	row = &got.latency.rows[1];
	assert_int_equal(got.stats->tasks[row->task].name, OUTER);
	assert_int_equal(row->nr_samples, 100);
	expect_percentile(&row->percentiles[LATENCY_P50], 50, 40, 61);
	expect_percentile(&row->percentiles[LATENCY_P90], 90, 84, 96);
	expect_percentile(&row->percentiles[LATENCY_P99], 99, 97, 0);
	assert_true(row->tells_level);
	assert_int_equal(row->level, DATA_L2);
	computed_free(&got);
}

static uint64_t nr_in_bucket(const struct load_latency *latency, uint32_t task, uint64_t from)
{
	for (size_t i = 0; i < latency->nr_buckets; i++) {
		const struct load_latency_bucket *bucket = &latency->buckets[i];

		if (bucket->task == task && bucket->from_cycles == from) {
			assert_int_equal(bucket->below_cycles, 2 * from);
			return bucket->nr_samples;
		}
	}
	return 0;
}

/* A step has its lower edge, and not its upper one. */
static void test_histogram(void **state)
{
	struct computed got;

	(void)state;
	begin(&(struct event_told){ 0 }, NULL);
	add_loads(0, L2_LOAD, 1, 1);
	add_loads(0, L2_LOAD, 15, 2);
	add_loads(0, L2_LOAD, 16, 3);
	add_loads(0, L2_LOAD, 31, 4);
	add_loads(0, L2_LOAD, 32, 5);
	add_loads(0, L2_LOAD, UINT64_MAX, 1);
	got = compute();
	assert_int_equal(got.latency.nr_rows, 1);
	assert_int_equal(got.latency.nr_buckets, 5);
	assert_int_equal(nr_in_bucket(&got.latency, NO_TASK, 1), 1);
	assert_int_equal(nr_in_bucket(&got.latency, NO_TASK, 8), 2);
	assert_int_equal(nr_in_bucket(&got.latency, NO_TASK, 16), 7);
	assert_int_equal(nr_in_bucket(&got.latency, NO_TASK, 32), 5);
	assert_int_equal(got.latency.buckets[4].from_cycles, 1ull << 63);
	assert_int_equal(got.latency.buckets[4].below_cycles, UINT64_MAX);
	computed_free(&got);
}

/* Of nested spans the inner one has them; outside of all, only the first row. Tasks stand by how many they have. */
static void test_innermost(void **state)
{
	struct computed got;

	(void)state;
	begin(&(struct event_told){ 0 }, NULL);
	add_loads(0, L2_LOAD, 14, 3);
	feed_begin_at(now_ns += 10, 0, A, OUTER, TRACE_SPAN_WORK);
	add_loads(0, L2_LOAD, 20, 5);
	feed_begin_at(now_ns += 10, 0, A, INNER, TRACE_SPAN_WORK);
	add_loads(0, RAM_LOAD, 300, 7);
	feed_end_at(now_ns += 10, 0, A);
	feed_end_at(now_ns += 10, 0, A);
	got = compute();
	assert_int_equal(got.latency.nr_rows, 3);
	assert_int_equal(got.latency.rows[0].nr_samples, 15);
	assert_int_equal(got.stats->tasks[got.latency.rows[1].task].name, INNER);
	assert_int_equal(got.latency.rows[1].nr_samples, 7);
	assert_int_equal(got.latency.rows[1].level, DATA_MEMORY);
	assert_int_equal(got.stats->tasks[got.latency.rows[2].task].name, OUTER);
	assert_int_equal(got.latency.rows[2].nr_samples, 5);
	assert_int_equal(nr_in_bucket(&got.latency, got.latency.rows[1].task, 256), 7);
	assert_int_equal(nr_in_bucket(&got.latency, got.latency.rows[2].task, 16), 5);
	computed_free(&got);
}

/* What tells no latency, or not that it is a load, is in no figure; a level that is not told is not made up. */
static void test_unknown(void **state)
{
	struct computed got;

	(void)state;
	begin(&(struct event_told){ 0 }, NULL);
	add_sample(0, ANNOT_SAMPLE_HAS_DATA_SRC, L2_LOAD, 14);
	add_sample(0, ANNOT_SAMPLE_HAS_WEIGHT, L2_LOAD, 14);
	add_sample(0, HAS_BOTH, STORE | FOUND_IN(L2), 14);
	add_sample(0, HAS_BOTH, L2_LOAD, 0);
	got = compute();
	assert_int_equal(got.latency.nr_rows, 0);
	assert_int_equal(got.latency.nr_buckets, 0);
	computed_free(&got);

	begin(&(struct event_told){ 0 }, NULL);
	add_loads(0, LOAD | FOUND_IN(NA), 14, 5);
	got = compute();
	assert_int_equal(got.latency.nr_rows, 1);
	assert_false(got.latency.rows[0].tells_level);
	expect_percentile(&got.latency.rows[0].percentiles[LATENCY_P99], 14, 14, 0);
	computed_free(&got);
}

static struct miss_costs costs_of(enum miss_level level)
{
	const enum miss_level levels[] = { level, level };
	struct computed got = compute();
	struct miss_costs costs = miss_costs_compute(got.model, got.stats, levels);

	computed_free(&got);
	return costs;
}

static void expect_assumed(const struct miss_cost *cost, double cycles)
{
	assert_false(cost->is_sampled);
	assert_float_equal(cost->cycles, cycles, 1e-9);
	assert_float_equal(cost->ns, cycles / 3, 1e-9);
}

static void expect_sampled(const struct miss_cost *cost, double cycles, uint64_t nr)
{
	assert_true(cost->is_sampled);
	assert_float_equal(cost->cycles, cycles, 1e-9);
	assert_float_equal(cost->ns, cycles / 3, 1e-9);
	assert_int_equal(cost->nr_samples, nr);
}

/* Of a CPU of which each level takes what it takes, with an event that leaves nothing out: each kind by what it is made of. */
static void test_costs_of_levels(void **state)
{
	struct miss_costs costs;

	(void)state;
	begin(&(struct event_told){ .threshold_cycles = 3 }, NULL);
	add_loads(0, L2_LOAD, 20, 60);
	add_loads(0, L3_LOAD, 60, 30);
	add_loads(0, RAM_LOAD, 400, 30);
	add_loads(0, TAKEN_LOAD, 120, 30);
	costs = costs_of(MISS_NONE);
	expect_sampled(&costs.of[MISS_L1], (20 * 60 + (60 + 400 + 120) * 30) / 150.0, 150);
	expect_sampled(&costs.of[MISS_L2], (60 + 400 + 120) / 3.0, 90);
	expect_sampled(&costs.of[MISS_L3], 400, 30);
	expect_sampled(&costs.of[MISS_COST_OF_TAKEN_LINE], 120, 30);
	assert_float_equal(costs.of[MISS_L3].error_cycles, 0, 1e-9);
	assert_false(costs.of[MISS_L3].is_above_l1);
	expect_assumed(&costs.of[MISS_TLB], 30);
	assert_false(costs.is_clock_counted);
}

/* One fewer than enough: constants, as without any sample. */
static void test_few_samples(void **state)
{
	struct miss_costs costs;

	(void)state;
	begin(&(struct event_told){ .threshold_cycles = 3 }, NULL);
	add_loads(0, L2_LOAD, 20, 29);
	add_loads(0, TAKEN_LOAD, 120, 29);
	costs = costs_of(MISS_NONE);
	expect_sampled(&costs.of[MISS_L1], 70, 58);
	expect_assumed(&costs.of[MISS_L2], 44);
	expect_assumed(&costs.of[MISS_L3], 230);
	expect_assumed(&costs.of[MISS_COST_OF_TAKEN_LINE], 75);
	begin(&(struct event_told){ .threshold_cycles = 3 }, NULL);
	costs = costs_of(MISS_NONE);
	expect_assumed(&costs.of[MISS_L1], 14);
}

/* An L1 hit's cost is subtracted where all of them may be sampled, and it is not in what IBS tells. */
static void test_l1_hits(void **state)
{
	struct miss_costs costs;

	(void)state;
	for (uint64_t threshold = 4; threshold <= 5; threshold++) {
		begin(&(struct event_told){ .threshold_cycles = threshold }, NULL);
		add_loads(0, L1_LOAD, 7, 40);
		add_loads(0, RAM_LOAD, 400, 40);
		costs = costs_of(MISS_NONE);
		expect_sampled(&costs.of[MISS_L3], threshold == 4 ? 393 : 400, 40);
		assert_int_equal(costs.of[MISS_L3].is_above_l1, threshold == 4);
	}
	begin(&(struct event_told){ .threshold_cycles = 4 }, NULL);
	add_loads(0, L1_LOAD, 7, 29);
	add_loads(0, RAM_LOAD, 400, 40);
	costs = costs_of(MISS_NONE);
	expect_sampled(&costs.of[MISS_L3], 400, 40);
	assert_false(costs.of[MISS_L3].is_above_l1);
	begin(&(struct event_told){ .by_ratio = true }, NULL);
	add_loads(0, RAM_LOAD, 400, 40);
	costs = costs_of(MISS_NONE);
	expect_sampled(&costs.of[MISS_L3], 400, 40);
	assert_true(costs.of[MISS_L3].is_above_l1);
}

/* An event that leaves out fast loads of a kind says nothing of what that kind takes. */
static void test_what_is_left_out(void **state)
{
	static const struct {
		struct event_told told;
		enum miss_level by_name;
		bool tells[NR_MISS_COSTS];
	} cases[] = {
#define TELLS(l1, l2, l3, taken) \
	{ [MISS_L1] = l1, [MISS_L2] = l2, [MISS_L3] = l3, [MISS_COST_OF_TAKEN_LINE] = taken }
		{ { .threshold_cycles = 14 }, MISS_NONE, TELLS(true, true, true, true) },
		{ { .threshold_cycles = 30 }, MISS_NONE, TELLS(false, true, true, true) },
		{ { .threshold_cycles = 64 }, MISS_NONE, TELLS(false, false, true, true) },
		{ { .threshold_cycles = 76 }, MISS_NONE, TELLS(false, false, true, false) },
		{ { .threshold_cycles = 231 }, MISS_NONE, TELLS(false, false, false, false) },
		{ { .by_ratio = true }, MISS_NONE, TELLS(true, true, true, true) },
		{ { .by_ratio = true, .is_filtered = true },
		  MISS_NONE,
		  TELLS(false, false, true, false) },
		{ { 0 }, MISS_L1, TELLS(true, true, true, true) },
		{ { 0 }, MISS_L2, TELLS(false, true, true, true) },
		{ { 0 }, MISS_L3, TELLS(false, false, true, false) },
		{ { 0 }, MISS_TLB, TELLS(false, false, false, false) },
		{ { 0 }, MISS_NONE, TELLS(false, false, false, true) },
#undef TELLS
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct miss_costs costs;

		begin(&cases[i].told, NULL);
		add_loads(0, L2_LOAD, 20, 40);
		add_loads(0, TAKEN_LOAD, 120, 40);
		add_loads(0, RAM_LOAD, 400, 40);
		costs = costs_of(cases[i].by_name);
		for (size_t which = MISS_L1; which < NR_MISS_COSTS; which++)
			assert_int_equal(costs.of[which].is_sampled, cases[i].tells[which]);
	}
}

/* The event with most samples of the kind. */
static void test_two_events(void **state)
{
	struct miss_costs costs;

	(void)state;
	begin(&(struct event_told){ .by_ratio = true }, &(struct event_told){ .by_ratio = true });
	add_loads(0, RAM_LOAD, 300, 40);
	add_loads(1, RAM_LOAD, 400, 41);
	add_loads(0, TAKEN_LOAD, 100, 31);
	add_loads(1, TAKEN_LOAD, 120, 30);
	costs = costs_of(MISS_NONE);
	expect_sampled(&costs.of[MISS_L3], 400, 41);
	assert_int_equal(costs.of[MISS_L3].event, 1);
	expect_sampled(&costs.of[MISS_COST_OF_TAKEN_LINE], 100, 31);
	assert_int_equal(costs.of[MISS_COST_OF_TAKEN_LINE].event, 0);
}

/*
 * A million loads that miss, of which 80 % take 20 to 30 cycles, 15 % 60 to 100 and 5 % 300 to 500: what they cost together is
 * known. Of 300 trials that sample 200 of them each, the interval has the truth in it in 95 of 100, and the constant is far off.
 */
static void test_costs_against_truth(void **state)
{
	const double truth = 0.8 * 24.5 + 0.15 * 79.5 + 0.05 * 399.5;
	const unsigned int nr_trials = 300;
	struct random random = { 4 };
	unsigned int nr_covered = 0;
	double sum = 0;

	(void)state;
	for (unsigned int trial = 0; trial < nr_trials; trial++) {
		struct miss_costs costs;

		begin(&(struct event_told){ .by_ratio = true }, NULL);
		for (int i = 0; i < 200; i++) {
			double kind = random_share(&random);

			if (kind < 0.8)
				add_loads(0, L2_LOAD, 20 + random_below(&random, 10), 1);
			else if (kind < 0.95)
				add_loads(0, L3_LOAD, 60 + random_below(&random, 40), 1);
			else
				add_loads(0, RAM_LOAD, 300 + random_below(&random, 200), 1);
		}
		costs = costs_of(MISS_NONE);
		assert_true(costs.of[MISS_L1].is_sampled);
		sum += costs.of[MISS_L1].cycles;
		nr_covered += fabs(costs.of[MISS_L1].cycles - truth) <=
			      costs.of[MISS_L1].error_cycles;
	}
	assert_float_equal(sum / nr_trials, truth, 0.02 * truth);
	assert_in_range(nr_covered, nr_trials * 91 / 100, nr_trials * 98 / 100);
	assert_true(miss_costs_assumed().of[MISS_L1].cycles < 0.3 * truth);
}

static void test_words(void **state)
{
	struct miss_cost cost = {
		.cycles = 84.25, .is_sampled = true, .nr_samples = 400, .error_cycles = 4
	};
	struct finding finding = { .time_lost_ns = 1 };

	(void)state;
	assert_string_equal(miss_cost_words(&cost).text,
			    "; each costs 84.2 +/- 4.00 cycles, the mean of 400 samples");
	miss_cost_add_caveat(&cost, &finding);
	assert_int_equal(finding.caveats, 0);
	cost.is_sampled = false;
	assert_string_equal(miss_cost_words(&cost).text, "");
	miss_cost_add_caveat(&cost, &finding);
	assert_int_equal(finding.caveats, CAVEAT_ASSUMED_COST);
	assert_string_equal(miss_cost_name(MISS_L3), "L3");
	assert_string_equal(miss_cost_name(MISS_COST_OF_TAKEN_LINE), "taken line");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles),	cmocka_unit_test(test_histogram),
		cmocka_unit_test(test_innermost),	cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_costs_of_levels), cmocka_unit_test(test_few_samples),
		cmocka_unit_test(test_l1_hits),		cmocka_unit_test(test_what_is_left_out),
		cmocka_unit_test(test_two_events),	cmocka_unit_test(test_costs_against_truth),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
