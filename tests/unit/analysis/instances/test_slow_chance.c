// SPDX-License-Identifier: GPL-2.0
/*
 * What chance makes of instances: how often it has many of them slow, and which parts it explains.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/instances/slow_chance.h"

#define MOST 2000
#define NR_TRIES 4000
#define CHANCE 0.01

static double draw(void)
{
	static uint64_t state = 3;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return ((double)(state >> 11) + 0.5) / 0x1p53;
}

static double draw_normal(void)
{
	return sqrt(-2 * log(draw())) * cos(2 * M_PI * draw());
}

static int compare(const void *a, const void *b)
{
	const double *first = a, *second = b;

	return *first < *second ? -1 : *first > *second;
}

/* Of @nr normal values, the chance of those beyond the fence, as slow_instances.h has it; 1: there are none. */
static double chance_of_noise(size_t nr)
{
	double values[MOST], lower, upper, range;
	size_t first = nr;

	for (size_t i = 0; i < nr; i++)
		values[i] = draw_normal();
	qsort(values, nr, sizeof(*values), compare);
	lower = values[nr / 4];
	upper = values[nr - 1 - nr / 4];
	range = upper - lower;
	while (values[first - 1] > upper + 1.5 * range)
		first--;
	if (first == nr)
		return 1;
	return slow_chance_of_number(nr, nr - first,
				     (values[first] - values[nr / 2]) * 1.349 / range);
}

/* No more often than it says; three standard errors are allowed. */
static void test_number(void **state)
{
	static const size_t sizes[] = { 30, 60, 100, 200, 300, 1000, MOST };
	const double most = CHANCE + 3 * sqrt(CHANCE * (1 - CHANCE) / NR_TRIES);

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		int nr_false = 0;

		for (int try = 0; try < NR_TRIES; try++)
			nr_false += chance_of_noise(sizes[i]) < CHANCE;
		if (nr_false > most * NR_TRIES)
			fail_msg("%zu instances: %d of %d", sizes[i], nr_false, NR_TRIES);
	}
}

/* But what is far off is seen, and if it is many, what is not so far. */
static void test_many(void **state)
{
	(void)state;
	assert_true(slow_chance_of_number(30, 3, 8) < CHANCE);
	assert_true(slow_chance_of_number(30, 3, 3) > CHANCE);
	assert_true(slow_chance_of_number(1000, 20, 2.7) < 1e-4);
	assert_true(slow_chance_of_number(1000, 4, 2.7) > 0.1);
	assert_true(slow_chance_of_number(1000, 4, 5) < 1e-4);
	assert_true(slow_chance_of_number(100, 3, INFINITY) < 1e-9);
}

struct groups {
	struct split_instances typical;
	struct split_instances slow;
	struct split_instance rows[MOST];
};

static struct groups *make_groups(size_t nr_typical, size_t nr_slow)
{
	struct groups *groups = calloc(1, sizeof(*groups));

	assert_non_null(groups);
	groups->typical = (struct split_instances){ nr_typical, groups->rows };
	groups->slow = (struct split_instances){ nr_slow, groups->rows + nr_typical };
	return groups;
}

static double chance_of(const struct groups *groups, enum instance_part part, uint32_t cause)
{
	return slow_chance_of_part(&groups->typical, &groups->slow, part, cause);
}

/* One that was preempted for long does not make all so; a little in each does, and less than others counts, too. */
static void test_parts(void **state)
{
	struct groups *groups = make_groups(100, 8);

	(void)state;
	for (size_t i = 0; i < 108; i++) {
		groups->rows[i].parts_ns[PART_PREEMPTED] = i == 107 ? 1000000000 : 0;
		groups->rows[i].parts_ns[PART_WAKEUP] = (int64_t)(i % 10) - (i < 100 ? 20 : 0);
		groups->rows[i].parts_ns[PART_STOLEN] = (int64_t)(i % 10);
		groups->rows[i].parts_ns[PART_IPC] = i >= 100 ? -5 : i % 2 ? -10 : 10;
	}
	assert_true(chance_of(groups, PART_WAKEUP, 0) < 1e-5);
	assert_true(chance_of(groups, PART_STOLEN, 0) > 0.1);
	assert_true(chance_of(groups, PART_IPC, 0) > 0.1);
	assert_true(chance_of(groups, PART_UNKNOWN, 0) > 0.99);
	groups->rows[106].parts_ns[PART_PREEMPTED] = 1;
	groups->rows[3].parts_ns[PART_PREEMPTED] = 2;
	groups->rows[4].parts_ns[PART_PREEMPTED] = 2;
	groups->rows[5].parts_ns[PART_PREEMPTED] = 2;
	assert_true(chance_of(groups, PART_PREEMPTED, 0) > 0.001);
	free(groups);
}

/* Of blocked time, it is that of one cause. */
static void test_causes(void **state)
{
	struct groups *groups = make_groups(40, 10);

	(void)state;
	for (size_t i = 0; i < 50; i++) {
		struct instance_times *times = &groups->rows[i].times;

		times->nr_causes = 2;
		times->causes[0].cause = 5;
		times->causes[0].ns = (double)(100 + i % 10);
		times->causes[1].cause = 6;
		times->causes[1].ns = (double)(i < 40 ? i % 10 : 20 + i % 10);
	}
	assert_true(chance_of(groups, PART_BLOCKED, 5) > 0.1);
	assert_true(chance_of(groups, PART_BLOCKED, 6) < 1e-4);
	free(groups);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_causes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
