// SPDX-License-Identifier: GPL-2.0
/*
 * Several runs a side: the tests against tables, and how often runs that are drawn are told apart, where they differ and
 * where they do not. Seeds are fixed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/runs/runs_diff.h"
#include "analysis/stats/holm.h"
#include "analysis/stats/student_t.h"
#include "util/random.h"
#include "util/xalloc.h"

/* Student's table, two-sided: 5 %, 1 %, and 0.1 %. */
static void test_student_t(void **state)
{
	static const struct {
		double degrees, p, limit;
	} table[] = {
		{ 1, 0.05, 12.706 },  { 1, 0.001, 636.619 }, { 2, 0.05, 4.303 },
		{ 4, 0.05, 2.776 },   { 4, 0.01, 4.604 },    { 8, 0.05, 2.306 },
		{ 8, 0.01, 3.355 },   { 8, 0.001, 5.041 },   { 30, 0.05, 2.042 },
		{ 120, 0.01, 2.617 }, { 1e6, 0.05, 1.960 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		assert_float_equal(student_t_limit(table[i].p, table[i].degrees), table[i].limit,
				   table[i].limit * 5e-4);
		assert_float_equal(student_t_p_value(-table[i].limit, table[i].degrees), table[i].p,
				   table[i].p * 5e-3);
	}
	/* Of one degree it is Cauchy's distribution. */
	assert_float_equal(student_t_p_value(3, 1), 1 - 2 * atan(3) / M_PI, 1e-12);
	assert_float_equal(student_t_p_value(0, 5), 1, 0);
}

/*
 * 10, 12, 14 and 20, 26, 29: means 12 and 25, variances 4 and 21, e^2 = 4 / 3 + 21 / 3 = 8.3333, t = 13 / 2.88675 = 4.50333;
 * degrees 69.444 / (1.7778 / 2 + 49 / 2) = 2.7352.
 */
static void test_welch(void **state)
{
	const double low[] = { 10, 12, 14 }, high[] = { 20, 26, 29 };
	struct sample before = sample_of(low, 3), after = sample_of(high, 3),
		      one = sample_of(high, 1);
	struct welch_test test = welch_test_of_difference(&before, &after);
	double reach = 2.88675 * student_t_limit(0.05, 2.7352);

	(void)state;
	assert_float_equal(test.estimate, 13, 1e-9);
	assert_float_equal(test.p_value, student_t_p_value(4.50333, 2.7352), 1e-4);
	assert_float_equal(test.low, 13 - reach, 1e-2);
	assert_float_equal(test.high, 13 + reach, 1e-2);
	assert_false(test.has_ratio);

	/* ln(25 / 12) = 0.733969; e^2 = 8.3333 with each side over its mean's square: 0.0092593 + 0.0112 */
	test = welch_test_of_ratio(&before, &after);
	assert_true(test.has_ratio);
	assert_float_equal(test.estimate, 25.0 / 12 - 1, 1e-9);
	assert_float_equal(test.p_value,
			   student_t_p_value(0.733969 / 0.143036,
					     0.00041858 / (0.000085734 / 2 + 0.00012544 / 2)),
			   1e-4);

	/* One value: t = 8 / sqrt(4 + 4 / 3) of two degrees. */
	test = welch_test_of_difference(&before, &one);
	assert_float_equal(test.p_value, student_t_p_value(8 / sqrt(16.0 / 3), 2), 1e-9);
	test = welch_test_of_difference(&one, &one);
	assert_false(test.is_tested);
	assert_float_equal(test.p_value, 1, 0);
}

static void test_without_noise(void **state)
{
	const double zeros[] = { 0, 0 }, fives[] = { 5, 5 };
	struct sample nothing = sample_of(zeros, 2), five = sample_of(fives, 2);

	(void)state;
	assert_float_equal(welch_test_of_ratio(&five, &five).p_value, 1, 0);
	assert_float_equal(welch_test_of_ratio(&nothing, &five).p_value, 0, 0);
	assert_false(welch_test_of_ratio(&nothing, &five).has_ratio);
	assert_float_equal(welch_test_of_ratio(&nothing, &nothing).p_value, 1, 0);
}

static void test_holm(void **state)
{
	double p_values[] = { 0.04, 0.01, 0.03, 0.005, 0.9 };
	const double wanted[] = { 0.09, 0.04, 0.09, 0.025, 0.9 };

	(void)state;
	holm_adjust(p_values, 5);
	for (size_t i = 0; i < 5; i++)
		assert_float_equal(p_values[i], wanted[i], 1e-9);
	holm_adjust(p_values, 0);
}

/* Box and Muller. */
static double draw_normal(struct random *random)
{
	double radius = sqrt(-2 * log(1 - random_share(random)));

	return radius * cos(2 * M_PI * random_share(random));
}

#define NR_TASKS 8
#define MOST_RUNS 10

/* What is drawn: so many runs a side, of which each differs from the next, and each instance from the next. */
struct experiment {
	size_t nr_runs;
	double run_noise;
	double instance_noise;
	size_t nr_instances;
	double change; /* of the first task, after */
};

static void draw_task(struct run_task *task, const struct experiment *experiment, double length_ns,
		      struct random *random)
{
	double run = 1 + experiment->run_noise * draw_normal(random), sum_ns = 0;

	for (size_t i = 0; i < experiment->nr_instances; i++)
		sum_ns += length_ns * run * (1 + experiment->instance_noise * draw_normal(random));
	task->nr_instances = experiment->nr_instances;
	task->wall_ns[RUN_TOTAL] = sum_ns;
	task->wall_ns[RUN_MEAN] = sum_ns / (double)experiment->nr_instances;
	/* Most of it is on a CPU, so that the two depend on each other. */
	task->on_cpu_ns = task->wall_ns[RUN_MEAN] * (0.9 + 0.01 * draw_normal(random));
}

/* It is long as its tasks together, and imbalance costs a tenth of it. */
static struct run_figures draw_run(const struct experiment *experiment, bool is_after,
				   struct random *random)
{
	struct run_figures run = { .nr_tasks = NR_TASKS };
	struct run_finding *finding = &run.findings[FINDING_IMBALANCE];
	double sum_ns = 0;

	run.tasks = xcalloc(NR_TASKS, sizeof(*run.tasks));
	for (uint32_t i = 0; i < NR_TASKS; i++) {
		struct run_task *task = &run.tasks[i];
		double length_ns = 1e6 * (i + 1);

		task->name = i + 1;
		if (is_after && i == 0)
			length_ns *= 1 + experiment->change;
		draw_task(task, experiment, length_ns, random);
		sum_ns += task->wall_ns[RUN_TOTAL];
	}
	run.session_ns = (uint64_t)sum_ns;
	finding->lost_ns = (uint64_t)(sum_ns * 0.1 * fmax(0, 1 + 0.3 * draw_normal(random)));
	finding->text = xstrndup("", 0);
	return run;
}

/* Whether something stands out; @first: whether the first task does, and as longer. */
static bool compare_drawn(const struct experiment *experiment, uint64_t seed, bool *first)
{
	struct random random = { seed };
	struct run_figures rows[2][MOST_RUNS];
	struct runs runs = { .nr = { experiment->nr_runs, experiment->nr_runs },
			     .rows = { rows[0], rows[1] } };
	struct runs_diff *diff;
	bool stands_out;

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < experiment->nr_runs; i++)
			rows[side][i] = draw_run(experiment, side, &random);
	}
	diff = runs_diff_compute(&runs);
	stands_out = diff->stands_out;
	*first = false;
	for (size_t i = 0; i < diff->nr_tasks; i++)
		*first |= diff->tasks[i].name == 1 && diff->tasks[i].wall.stands_out &&
			  diff->tasks[i].wall.test.estimate > 0;
	runs_diff_free(diff);
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < experiment->nr_runs; i++)
			run_figures_free(&rows[side][i]);
	}
	return stands_out;
}

struct outcome {
	int stands_out;
	int first;
};

static struct outcome repeat(const struct experiment *experiment, int nr)
{
	struct outcome outcome = { 0 };

	for (int i = 0; i < nr; i++) {
		bool first;

		outcome.stands_out += compare_drawn(experiment, (uint64_t)i * 0x10001, &first);
		outcome.first += first;
	}
	return outcome;
}

/*
 * 200 comparisons of runs of the same kind: 5 % of them at most have anything that stands out. Seeds are fixed, so no room is
 * left for chance; that which is measured is 1 % to 2.5 %, as Holm's method allows for tests that depend on each other.
 */
static void test_false_alarms(void **state)
{
	static const struct experiment experiments[] = {
		{ .nr_runs = 5, .run_noise = 0.03, .instance_noise = 0.03, .nr_instances = 40 },
		{ .nr_runs = 5, .instance_noise = 0.03, .nr_instances = 40 },
		{ .nr_runs = 5, .run_noise = 0.3, .nr_instances = 1 },
		{ .nr_runs = 2, .run_noise = 0.03, .instance_noise = 0.03, .nr_instances = 40 },
		{ .nr_runs = 10, .run_noise = 0.03, .nr_instances = 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(experiments) / sizeof(*experiments); i++)
		assert_in_range(repeat(&experiments[i], 200).stands_out, 0, 10);
}

/* Where the noise of 3 % is that of instances, and where runs differ by 1 % besides. */
static void test_real_changes(void **state)
{
	struct experiment experiment = {
		.nr_runs = 5, .instance_noise = 0.03, .nr_instances = 40, .change = 0.05
	};

	(void)state;
	assert_in_range(repeat(&experiment, 200).first, 180, 200);
	experiment.run_noise = 0.01;
	assert_in_range(repeat(&experiment, 200).first, 180, 200);
}

/* How often one figure that changes by 5 % is found, where whole runs differ by 3 %: what runs_diff.h tells. */
static int found_in_run_noise(size_t nr_runs, double change)
{
	struct random random = { 1 };
	int nr = 0;

	for (int round = 0; round < 1000; round++) {
		double values[2][MOST_RUNS];
		struct sample samples[2];

		for (int side = 0; side < 2; side++) {
			for (size_t i = 0; i < nr_runs; i++)
				values[side][i] = (1 + side * change) *
						  (1 + 0.03 * draw_normal(&random));
			samples[side] = sample_of(values[side], nr_runs);
		}
		nr += welch_test_of_ratio(&samples[0], &samples[1]).p_value <= RUNS_MOST_P;
	}
	return nr;
}

static void test_power(void **state)
{
	(void)state;
	assert_in_range(found_in_run_noise(5, 0.05), 560, 650);
	assert_in_range(found_in_run_noise(10, 0.05), 900, 960);
	assert_in_range(found_in_run_noise(5, 0), 30, 60);
}

/* Runs without a task count with those that have it; without a second run, nothing is known of how they differ. */
static void test_few_runs(void **state)
{
	const struct experiment experiment = { .nr_runs = 1, .nr_instances = 1, .change = 0.5 };
	struct random random = { 1 };
	struct run_figures rows[2] = { draw_run(&experiment, false, &random),
				       draw_run(&experiment, true, &random) };
	struct runs runs = { .nr = { 1, 1 }, .rows = { &rows[0], &rows[1] } };
	struct runs_diff *diff;

	(void)state;
	rows[1].nr_tasks--;
	diff = runs_diff_compute(&runs);
	assert_false(diff->stands_out);
	assert_int_equal(diff->nr_compared, 0);
	assert_int_equal(diff->nr_tasks, NR_TASKS);
	/* The last task is the longest, and gone. */
	assert_int_equal(diff->tasks[0].name, NR_TASKS);
	assert_false(runs_value_is_compared(&diff->tasks[0].wall));
	assert_int_equal(diff->tasks[1].name, 1);
	assert_float_equal(diff->tasks[1].wall.test.estimate, 0.5, 1e-6);
	runs_diff_free(diff);
	run_figures_free(&rows[0]);
	run_figures_free(&rows[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student_t),     cmocka_unit_test(test_welch),
		cmocka_unit_test(test_without_noise), cmocka_unit_test(test_holm),
		cmocka_unit_test(test_false_alarms),  cmocka_unit_test(test_real_changes),
		cmocka_unit_test(test_power),	      cmocka_unit_test(test_few_runs),
	};

	return cmocka_run_group_tests_name("runs_diff", tests, NULL, NULL);
}
