// SPDX-License-Identifier: GPL-2.0
/* SLOW */
/*
 * Bursts of misses: runs that are made to have one, or none, of known size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/memory/switch_excess.h"
#include "util/random.h"

#define NR_RUNS 40
#define MOST_HITS (NR_RUNS * 64)
#define NR_NULLS 1000

struct made {
	struct switch_excess_run runs[NR_RUNS];
	struct switch_excess_hit hits[MOST_HITS];
	size_t nr_hits;
};

static int compare_hits(const void *a, const void *b)
{
	const struct switch_excess_hit *first = a, *second = b;

	return first->at_ns < second->at_ns ? -1 : first->at_ns > second->at_ns;
}

static void add_hit(struct made *made, struct switch_excess_run *run, double at_ns, double misses)
{
	assert_true(made->nr_hits < MOST_HITS);
	made->hits[made->nr_hits++] = (struct switch_excess_hit){ at_ns, misses };
	run->nr_hits++;
	run->misses += misses;
}

/* Runs of 4 to 12 ms with @warm hits of ten misses anywhere, and @excess in the first 100 us. */
static void make_samples(struct made *made, struct random *random, unsigned int warm,
			 unsigned int excess)
{
	made->nr_hits = 0;
	for (size_t i = 0; i < NR_RUNS; i++) {
		struct switch_excess_run *run = &made->runs[i];

		*run = (struct switch_excess_run){
			.thread = i < NR_RUNS / 2 ? 3 : 5,
			.kind = AFTER_OTHER,
			.run_ns = 4e6 + 8e6 * random_share(random),
			.first_hit = made->nr_hits,
		};
		for (unsigned int hit = 0; hit < warm; hit++)
			add_hit(made, run, random_share(random) * run->run_ns, 10);
		for (unsigned int hit = 0; hit < excess; hit++)
			add_hit(made, run, random_share(random) * 1e5, 10);
		qsort(&made->hits[run->first_hit], run->nr_hits, sizeof(made->hits[0]),
		      compare_hits);
	}
}

/* Runs of 20 to 500 us that count @rate in a microsecond, with an error, and @excess besides. */
static void make_counts(struct made *made, struct random *random, double rate, double excess)
{
	for (size_t i = 0; i < NR_RUNS; i++) {
		double us = 20 + 480 * random_share(random);

		made->runs[i] = (struct switch_excess_run){
			.thread = i < NR_RUNS / 2 ? 3 : 5,
			.kind = AFTER_OTHER,
			.run_ns = us * 1000,
			.misses = excess + rate * us * (0.9 + 0.2 * random_share(random)),
		};
	}
}

static struct switch_excess excess_of(const struct made *made, bool from_samples)
{
	struct switch_excess_input input = { NR_RUNS, made->runs,
					     from_samples ? made->hits : NULL };
	struct switch_excess_result result;

	switch_excess_compute(&input, &result);
	switch_excess_free(&result);
	assert_false(result.of[AFTER_SAME].known);
	assert_false(result.of[AFTER_MIGRATION].known);
	assert_true(result.of[AFTER_OTHER].known);
	assert_int_equal(result.of[AFTER_OTHER].nr_runs, NR_RUNS);
	return result.of[AFTER_OTHER];
}

static void assert_mean(struct switch_excess excess, double mean, double tolerance)
{
	assert_true(excess.p_value < 0.01);
	assert_true(excess.low > 0 && excess.low <= excess.mean && excess.mean <= excess.high);
	assert_true(excess.mean > mean - tolerance && excess.mean < mean + tolerance);
}

static void test_sampled_excess(void **state)
{
	struct random random = { 1 };
	struct made made;

	(void)state;
	make_samples(&made, &random, 20, 8);
	assert_mean(excess_of(&made, true), 80, 16);
}

static void test_counted_excess(void **state)
{
	struct random random = { 2 };
	struct made made;

	(void)state;
	make_counts(&made, &random, 0.5, 256);
	assert_mean(excess_of(&made, false), 256, 10);
}

/* The figures of exact counts are exact. */
static void test_exact_counts(void **state)
{
	struct switch_excess_input input = { 4, NULL, NULL };
	struct switch_excess_run runs[4];
	struct switch_excess_result result;

	(void)state;
	for (int i = 0; i < 4; i++)
		runs[i] = (struct switch_excess_run){
			.kind = i % 2 ? AFTER_OTHER : AFTER_SAME,
			.run_ns = 1000.0 * (i / 2 + 1),
			.misses = (i % 2 ? 100 : 7) + 30.0 * (i / 2 + 1),
		};
	input.runs = runs;
	switch_excess_compute(&input, &result);
	assert_float_equal(result.of[AFTER_OTHER].mean, 100, 1e-6);
	assert_float_equal(result.of[AFTER_SAME].mean, 7, 1e-6);
	assert_float_equal(result.warm_per_ns, 0.03, 1e-9);
	switch_excess_free(&result);
}

/* Each thread, and each task of it, has a rate of its own. */
static void test_rates_differ(void **state)
{
	struct random random = { 3 };
	struct switch_excess_result result;
	struct made made;
	struct switch_excess_input input = { NR_RUNS, made.runs, NULL };

	(void)state;
	make_counts(&made, &random, 0, 0);
	for (size_t i = 0; i < NR_RUNS; i++) {
		made.runs[i].task = (uint32_t)(i / (NR_RUNS / 4));
		made.runs[i].misses = (double)made.runs[i].task * made.runs[i].run_ns;
	}
	switch_excess_compute(&input, &result);
	assert_int_equal(result.nr_threads, 4);
	assert_true(result.of[AFTER_OTHER].mean < 1e-3 && result.of[AFTER_OTHER].mean > -1e-3);
	switch_excess_free(&result);
}

/* Runs that take as long each tell nothing: a count may be an excess or a rate. */
static void test_alike(void **state)
{
	struct switch_excess_run runs[NR_RUNS];
	struct switch_excess_input input = { NR_RUNS, runs, NULL };
	struct switch_excess_result result;

	(void)state;
	for (size_t i = 0; i < NR_RUNS; i++)
		runs[i] = (struct switch_excess_run){ .run_ns = 1000, .misses = 50 };
	switch_excess_compute(&input, &result);
	assert_false(result.warm_known);
	assert_false(result.of[0].known);
	switch_excess_free(&result);
}

static void test_no_runs(void **state)
{
	struct switch_excess_input input = { 0 };
	struct switch_excess_result result;

	(void)state;
	switch_excess_compute(&input, &result);
	assert_false(result.warm_known);
	switch_excess_free(&result);
}

/*
 * Where there is no excess, p is below x in a share of x of all cases: 10 of 1000 below 0.01 (more
 * than 25 happen once in 30000 times), 500 below one half (sd 16).
 */
static void check_nulls(bool from_samples)
{
	unsigned int below_1 = 0, below_50 = 0;
	struct made made;

	for (uint64_t seed = 0; seed < NR_NULLS; seed++) {
		struct random random = { seed * 7919 };
		struct switch_excess excess;

		if (from_samples)
			make_samples(&made, &random, 3, 0);
		else
			make_counts(&made, &random, 0.5, 0);
		excess = excess_of(&made, from_samples);
		below_1 += excess.p_value < 0.01;
		below_50 += excess.p_value < 0.5;
	}
	assert_true(below_1 <= 25);
	assert_in_range(below_50, 420, 580);
}

static void test_sampled_nulls(void **state)
{
	(void)state;
	check_nulls(true);
}

static void test_counted_nulls(void **state)
{
	(void)state;
	check_nulls(false);
}

static void test_reproducible(void **state)
{
	struct random random = { 4 };
	struct switch_excess first, second;
	struct made made;

	(void)state;
	make_samples(&made, &random, 20, 1);
	first = excess_of(&made, true);
	second = excess_of(&made, true);
	assert_memory_equal(&first, &second, sizeof(first));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sampled_excess), cmocka_unit_test(test_counted_excess),
		cmocka_unit_test(test_exact_counts),   cmocka_unit_test(test_rates_differ),
		cmocka_unit_test(test_alike),	       cmocka_unit_test(test_no_runs),
		cmocka_unit_test(test_sampled_nulls),  cmocka_unit_test(test_counted_nulls),
		cmocka_unit_test(test_reproducible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
