// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/unit/analysis/memory/touches.c */
/* SLOW */
/*
 * What addresses of samples tell: working sets that are made by hand, and what misses in caches of
 * any size.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/stats/chao_estimator.h"
#include "analysis/memory/working_set.h"
#include "touches.h"
#include "util/random.h"

static const enum miss_level level[] = { MISS_L1 };
static const bool yes[] = { true };

/* Of the samples taken since touches_begin(). */
static struct working_set_task working_set_of_script(void)
{
	const struct working_set_choice choice = { level, yes };
	struct model *model = script_end();
	struct working_set *sets;
	struct task_stats *stats;
	struct working_set_task task;

	stats = task_stats_compute(model);
	sets = working_set_compute(model, stats, &choice);
	assert_true(sets->known);
	assert_int_equal(sets->nr, 1);
	assert_int_equal(sets->level_bytes[0], 32768);
	assert_int_equal(sets->level_bytes[1], 262144);
	assert_int_equal(sets->level_bytes[2], 0);
	task = sets->tasks[0];
	working_set_free(sets);
	task_stats_free(stats);
	model_free(model);
	return task;
}

/* One access in 11 is sampled: each of the next line, or of any. */
static struct working_set_task working_set_of(uint64_t nr_lines, unsigned int nr, bool random)
{
	struct random seed = { 6 };

	touches_begin(false);
	touches.period = 11;
	for (unsigned int i = 0; i < nr; i++)
		touch_at(A, 0x400000,
			 START + (random ? random_u64(&seed) % nr_lines : i % nr_lines) * LINE);
	touches.period = 10;
	return working_set_of_script();
}

static void assert_near(double value, double wanted, double share)
{
	assert_true(value >= wanted * (1 - share) && value <= wanted * (1 + share));
}

static void test_working_set(void **state)
{
	struct working_set_task task;

	(void)state;
	task = working_set_of(256, 4096, false);
	assert_true(task.knee_known);
	assert_float_equal(task.knee_bytes, 256 * LINE, 1e-9);
	/* Until all lines are seen, each access may be of another one. */
	assert_float_equal(task.points[0].accesses, 11, 1e-9);
	assert_float_equal(task.points[0].bytes, 11 * LINE, 1e-9);
	assert_true(task.points[0].is_unsure);
	assert_true(task.points[4].is_unsure && !task.points[9].is_unsure);
	assert_int_equal(task.doubt, WORKING_SET_SURE);
	task = working_set_of(5000, 4096, true);
	assert_true(task.knee_known);
	assert_near(task.knee_bytes, 5000 * LINE, 0.1);
	/* What is used only once is no working set. */
	task = working_set_of(100000, 5000, false);
	assert_false(task.knee_known);
	assert_int_equal(task.doubt, WORKING_SET_SELDOM);
	assert_float_equal(task.least_bytes, 4096 * LINE, 1e-9);
}

#define NR_LINES 65536 /* 4 MiB */

/* What a program reads, access by access. */
enum program {
	CHASE, /* all lines in an order that stays the same */
	SWEEP, /* one after the other, each by its 8 words */
	ANYWHERE,
	NEAR_AND_FAR, /* the chase, and some lines again and again */
	NR_PROGRAMS,
};

static uint64_t line_of_access(enum program program, uint64_t access, struct random *seed)
{
	switch (program) {
	case CHASE:
		/* An odd factor: each line has its turn. */
		return access * 40503 % NR_LINES;
	case SWEEP:
		return access / 8 % NR_LINES;
	case ANYWHERE:
		return random_u64(seed) % NR_LINES;
	default:
		return random_u64(seed) % 2 ? NR_LINES + random_u64(seed) % 16 :
					      access * 40503 % NR_LINES;
	}
}

static struct working_set_task working_set_of_program(enum program program, uint64_t each,
						      unsigned int nr)
{
	struct random seed = { 7 };

	touches_begin(false);
	touches.period = each;
	for (uint64_t i = 0; i < nr; i++)
		touch_at(A, 0x400000, START + line_of_access(program, i * each, &seed) * LINE);
	touches.period = 10;
	return working_set_of_script();
}

static void assert_expected(const struct working_set_misses *misses, double truth)
{
	if (!misses->expected_known)
		return;
	if (misses->expected_is_bound)
		assert_true(misses->expected >= 0.99 * truth);
	else
		assert_near(misses->expected, truth, 0.1);
}

/* How many lines that many accesses use. */
static double lines_of_accesses(enum program program, double accesses)
{
	switch (program) {
	case CHASE:
		return fmin(accesses, NR_LINES);
	case SWEEP:
		return fmin(accesses / 8, NR_LINES);
	case ANYWHERE:
		return NR_LINES * (1 - exp(-accesses / NR_LINES));
	default:
		return 16 + NR_LINES * (1 - exp(-accesses / 2 / NR_LINES));
	}
}

/* Nowhere more than there is, nor far less. */
static void assert_not_too_much(const struct working_set_task *task, enum program program)
{
	/* Misses of a load, of caches of 512 and 4096 lines. */
	static const double truth[NR_PROGRAMS][2] = {
		[CHASE] = { 1, 1 },
		[SWEEP] = { 0.125, 0.125 },
		[ANYWHERE] = { 1 - 512.0 / NR_LINES, 1 - 4096.0 / NR_LINES },
		[NEAR_AND_FAR] = { 0.5, 0.5 },
	};
	double most = (NR_LINES + (program == NEAR_AND_FAR ? 16 : 0)) * LINE;

	for (size_t i = 0; i < task->nr_points; i++) {
		const struct working_set_point *point = &task->points[i];

		if (!point->is_unsure)
			assert_near(point->bytes,
				    lines_of_accesses(program, point->accesses) * LINE, 0.25);
		assert_true(task->doubt == WORKING_SET_SURE || task->points[i].is_unsure);
	}
	assert_true(task->least_bytes <= most);
	if (task->knee_known)
		assert_near(task->knee_bytes, most, 0.15);
	for (int at = 0; at < 2; at++)
		assert_expected(&task->misses[at], truth[program][at]);
}

static void test_fixed_order(void **state)
{
	static const uint64_t periods[] = { 251, 11 };

	(void)state;
	for (int i = 0; i < 2 * NR_PROGRAMS; i++) {
		for (unsigned int nr = 70; nr <= 400000; nr = nr * 5 / 3) {
			enum program program = (enum program)(i / 2);
			struct working_set_task task = working_set_of_program(program,
									      periods[i % 2], nr);

			assert_not_too_much(&task, program);
		}
	}
}

/* One load in 251 of 4.3 million, each of the next line. */
static struct working_set_task working_set_of_walk(uint64_t nr_lines)
{
	touches_begin(false);
	touches.period = 251;
	for (uint64_t i = 0; i < 4300000; i += touches.period)
		touch_at(A, 0x400000, START + i % nr_lines * LINE);
	touches.period = 10;
	return working_set_of_script();
}

/* What the figures are once there are enough samples, and before. */
static void test_enough_samples(void **state)
{
	static const uint64_t sizes[] = { 256, 320, 768, 3328, 5120 };
	struct working_set_task task = working_set_of_program(CHASE, 251, 65536);

	(void)state;
	assert_int_equal(task.doubt, WORKING_SET_SELDOM);
	assert_false(task.knee_known || task.misses[0].expected_known);
	assert_float_equal(task.least_bytes, 32768.0 * LINE, 1e-9);
	assert_float_equal(task.most_bytes, 32768.0 * 251 * LINE, 1e-9);
	task = working_set_of_program(CHASE, 11, 131100);
	assert_true(task.knee_known);
	assert_float_equal(task.knee_bytes, NR_LINES * LINE, 1e-9);
	assert_true(task.misses[1].expected_known && task.misses[1].expected_is_bound);
	assert_float_equal(task.misses[1].expected, 1, 1e-9);
	/* Some lines come back after five rounds, and always then. */
	task = working_set_of_program(SWEEP, 251, 30000);
	assert_int_equal(task.doubt, WORKING_SET_IN_ORDER);
	assert_false(task.knee_known || task.misses[0].expected_known);
	task = working_set_of_program(ANYWHERE, 251, 20000);
	assert_int_equal(task.doubt, WORKING_SET_SURE);
	assert_near(task.points[task.nr_points - 1].bytes, NR_LINES * LINE, 0.1);
	/* Walks in a circle, through what is smaller and larger than the caches. */
	for (int i = 0; i < 5; i++) {
		double lines = (double)sizes[i];

		task = working_set_of_walk(sizes[i]);
		assert_true(task.knee_known);
		assert_near(task.knee_bytes, lines * LINE, 0.02);
		assert_true(task.knee_accesses >= lines / 2 && task.knee_accesses <= 4 * lines);
		assert_near(task.misses[0].expected, lines > 512, 0.05);
		assert_near(task.misses[1].expected, lines > 4096, 0.05);
		assert_true(task.misses[0].expected_known && task.misses[1].expected_known);
	}
	/* Each time the same 256 lines. */
	task = working_set_of_program(CHASE, 256, 20000);
	assert_int_equal(task.doubt, WORKING_SET_IN_STEP);
	assert_false(task.knee_known || task.misses[0].expected_known);
	assert_float_equal(task.least_bytes, 256 * LINE, 1e-9);
}

/* Curves whose slopes are told by hand; lines of 64 bytes. */
static void test_miss_ratio(void **state)
{
	/* 512 lines again and again, in order. */
	static const struct working_set_point cycle[] = {
		{ 128, 8192, false },
		{ 256, 16384, false },
		{ 512, 32768, false },
		{ 1024, 32768, false },
	};
	/* After 100 accesses each fourth one is of a new line; one point is too low. */
	static const struct working_set_point bent[] = {
		{ 100, 6400, false },
		{ 200, 8000, false },
		{ 300, 9000, false },
		{ 500, 12800, false },
	};
	/* From the first point on nothing is told of what is below. */
	static const struct working_set_point late[] = { { 1000, 6400, false },
							 { 2000, 9600, false } };
	struct working_set_curve curve = { cycle, 4, LINE, true };
	double ratio;

	(void)state;
	assert_true(miss_ratio_at(&curve, 4096, &ratio));
	assert_float_equal(ratio, 1, 1e-12);
	assert_true(miss_ratio_at(&curve, 32767, &ratio));
	assert_float_equal(ratio, 1, 1e-12);
	assert_true(miss_ratio_at(&curve, 32768, &ratio));
	assert_float_equal(ratio, 0, 1e-12);
	assert_true(miss_ratio_most(&curve, 4096, &ratio));
	assert_float_equal(ratio, 1, 1e-12);
	assert_true(miss_ratio_most(&curve, 32768, &ratio));
	assert_float_equal(ratio, 0, 1e-12);
	curve.is_whole = false;
	assert_false(miss_ratio_at(&curve, 32768, &ratio));
	assert_false(miss_ratio_most(&curve, 32768, &ratio));
	curve = (struct working_set_curve){ bent, 4, LINE, false };
	assert_true(miss_ratio_at(&curve, 6399, &ratio));
	assert_float_equal(ratio, 1, 1e-12);
	for (double bytes = 6400; bytes < 12800; bytes += 100) {
		assert_true(miss_ratio_at(&curve, bytes, &ratio));
		assert_float_equal(ratio, 0.25, 1e-12);
	}
	/* 150 lines in 300 accesses. */
	assert_true(miss_ratio_most(&curve, 9600, &ratio));
	assert_float_equal(ratio, 0.5, 1e-12);
	curve = (struct working_set_curve){ late, 2, LINE, false };
	assert_false(miss_ratio_at(&curve, 6399, &ratio));
	assert_true(miss_ratio_at(&curve, 6400, &ratio));
	assert_float_equal(ratio, 0.05, 1e-12);
	curve.nr = 0;
	assert_false(miss_ratio_at(&curve, 6400, &ratio));
}

/* Of walks with loads sampled, by caches of 512 and 4096 lines. */
static void test_expected_misses(void **state)
{
	struct working_set_task task;

	(void)state;
	/* 384 lines in a circle fit into the first level. */
	task = working_set_of(384, 4096, false);
	assert_true(task.misses[0].expected_known && task.misses[1].expected_known);
	assert_float_equal(task.misses[0].expected, 0, 1e-9);
	assert_float_equal(task.misses[1].expected, 0, 1e-9);
	assert_false(task.misses[2].expected_known);
	/* Of 600 each misses it, though few are sampled. */
	task = working_set_of(600, 4096, false);
	assert_float_equal(task.misses[0].expected, 1, 1e-9);
	assert_float_equal(task.misses[1].expected, 0, 1e-9);
	/* Anywhere in 1024 lines: half of them are in a cache of 512; how many it is sees no window. */
	task = working_set_of(1024, 40960, true);
	assert_true(task.misses[0].expected_known);
	assert_true(task.misses[0].expected_is_bound);
	assert_true(task.misses[0].expected > 0.5 && task.misses[0].expected < 0.8);
	assert_float_equal(task.misses[1].expected, 0, 1e-9);
	/* It has not come round yet: what it is, and what any cache would do, is not known. */
	task = working_set_of(100000, 300, false);
	assert_false(task.misses[0].expected_known || task.misses[1].expected_known);
	assert_false(task.misses[0].measured_known);
}

#define LOADS 0
#define MISSES 1

/* Of a walk of 40 samples of loads in each of some tasks: working set and misses are told. */
static struct working_set *sets_of(const unsigned int (*tasks)[2], unsigned int nr, bool counted)
{
	static const enum miss_level levels[] = { MISS_NONE, MISS_L2 };
	static const bool is_loads[] = { true, false };
	const struct working_set_choice choice = { levels, is_loads };
	struct working_set *sets;
	struct task_stats *stats;
	struct model *model;

	touches_begin(false);
	touches.period = 5;
	feed_pmu_event_at(touches.now_ns, 1, EVENT + 1, counted ? 0 : 5, 0);
	feed_end_at(touches.now_ns, 0, A);
	for (unsigned int i = 0; i < nr; i++) {
		uint64_t misses[] = { tasks[i][1] };

		feed_begin_at(touches.now_ns, 0, A, TASK + i, TRACE_SPAN_WORK);
		for (unsigned int j = 0; j < 20 * tasks[i][0]; j++)
			touch_at(A, 0x400000, START + j % tasks[i][0] * LINE);
		for (unsigned int j = 0; j < tasks[i][1] / 5 && !counted; j++)
			feed_sample_at(++touches.now_ns, 0, A, MISSES, 5, 0x400000);
		feed_end_at(++touches.now_ns, 0, A);
		if (counted)
			feed_counts_at(touches.now_ns, 0, A, misses, 1, 0);
		feed_switch_at(touches.now_ns, 0, A, 0, TRACE_OUT_RUNNABLE);
		feed_switch_at(++touches.now_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	touches.period = 10;
	model = script_end();
	stats = task_stats_compute(model);
	sets = working_set_compute(model, stats, &choice);
	assert_int_equal(sets->event, LOADS);
	assert_int_equal(sets->nr, nr);
	task_stats_free(stats);
	model_free(model);
	return sets;
}

static const struct working_set_task *task_of(const struct working_set *sets, unsigned int lines)
{
	for (size_t i = 0; i < sets->nr; i++) {
		if (sets->tasks[i].knee_bytes == lines * LINE)
			return &sets->tasks[i];
	}
	fail_msg("no task with %u lines", lines);
	return NULL;
}

/* Lines and misses of each task, of 100 loads a line: 4 %, half of a percent less than 10, 75 % */
static void test_measured_misses(void **state)
{
	static const unsigned int tasks[][2] = { { 50, 200 }, { 80, 760 }, { 100, 7500 } };
	static const unsigned int odd[][2] = { { 50, 4500 }, { 80, 500 } };

	(void)state;
	for (int counted = 0; counted < 2; counted++) {
		struct working_set *sets = sets_of(tasks, 3, counted);

		assert_true(task_of(sets, 50)->misses[1].measured_known);
		assert_int_equal(task_of(sets, 50)->misses[1].event, MISSES);
		assert_float_equal(task_of(sets, 50)->misses[1].measured, 0.04, 1e-9);
		assert_float_equal(task_of(sets, 80)->misses[1].measured, 0.095, 1e-9);
		assert_float_equal(task_of(sets, 100)->misses[1].measured, 0.75, 1e-9);
		assert_false(task_of(sets, 50)->misses[0].measured_known);
		assert_float_equal(sets->held[1].bytes, 80 * LINE, 1e-9);
		assert_float_equal(sets->held[1].not_bytes, 100 * LINE, 1e-9);
		assert_float_equal(sets->held[0].bytes, 0, 0);
		working_set_free(sets);
		/* The smaller one misses, the greater does not: it is not for want of room. */
		sets = sets_of(odd, 2, counted);
		assert_float_equal(sets->held[1].bytes, 0, 0);
		assert_float_equal(sets->held[1].not_bytes, 0, 0);
		working_set_free(sets);
	}
}

static void test_distinct(void **state)
{
	uint64_t values[] = { 1, 1, 2, 3, 3, 3, 4 };
	struct chao_counts distinct = chao_count(values, 7);

	(void)state;
	assert_float_equal(distinct.nr, 4, 0);
	assert_float_equal(distinct.once, 2, 0);
	assert_float_equal(distinct.twice, 1, 0);
	assert_float_equal(chao_estimate(&distinct), 4.5, 1e-12);
	distinct = (struct chao_counts){ 10, 8, 2 };
	assert_float_equal(chao_estimate(&distinct), 26, 1e-12);
	/* Half of all were drawn: 10 + 64 / (4 + 8). All once, or all there are. */
	assert_float_equal(chao_estimate_of_part(&distinct, 0.5), 10 + 64 / 12.0, 1e-12);
	assert_float_equal(chao_estimate_of_part(&distinct, 1), 10, 1e-12);
	distinct = (struct chao_counts){ 8, 8, 0 };
	assert_float_equal(chao_estimate_of_part(&distinct, 0.1), 80, 1e-9);
	distinct = chao_count(values, 0);
	assert_float_equal(chao_estimate(&distinct), 0, 0);
	/* 60 of 80 in both: a quarter of all is in neither. All the same, or all different. */
	assert_float_equal(chao_estimate_recaptured(80, 100), 6400 / 60.0, 1e-12);
	assert_float_equal(chao_estimate_recaptured(80, 80), 80, 1e-12);
	assert_true(isinf(chao_estimate_recaptured(80, 160)));
}

#define NR_OFTEN 740
#define NR_ONCE 70 /* in each half */

/* A loop nearly in step with the period: lines are hit often, or once; by chance some were hit twice. */
static void test_nearly_in_step(void **state)
{
	struct working_set_task task;
	unsigned int nr = 2048;

	(void)state;
	touches_begin(false);
	touches.period = 11;
	for (unsigned int i = 0; i < 2 * nr + 8; i++) {
		unsigned int at = i % nr;
		unsigned int line = at % NR_OFTEN;

		if (at >= nr - NR_ONCE)
			line = NR_OFTEN + i / nr * NR_ONCE + nr - 1 - at;
		touch_at(A, 0x400000, START + line * LINE);
	}
	touches.period = 10;
	task = working_set_of_script();
	assert_true(task.knee_known);
	assert_near(task.knee_bytes, (NR_OFTEN + 2 * NR_ONCE) * LINE, 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_working_set),	cmocka_unit_test(test_fixed_order),
		cmocka_unit_test(test_enough_samples),	cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_nearly_in_step),	cmocka_unit_test(test_miss_ratio),
		cmocka_unit_test(test_expected_misses), cmocka_unit_test(test_measured_misses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
