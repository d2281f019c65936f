// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/consistent_max_test.h"

#include <math.h>
#include <stdlib.h>

#include "util/random.h"
#include "util/xalloc.h"

#define SEED 48
#define MOST_DEALINGS 9999
#define LEAST_DEALINGS 199
/* If none of so many is as great, p is far below CONSISTENT_MAX_CHANCE: 0.0005. */
#define ENOUGH_DEALINGS 1999
#define MOST_VALUES 4096
#define LEAST_BLOCKS 5
#define MOST_USUAL_DISTANCES 2
#define ROUNDING 1e-9 /* sums that are equal but for it, are */

/* The blocks that are looked at, one behind the other. */
struct test {
	size_t nr_blocks;
	size_t *first; /* of each block, and where the last ends */
	uint32_t *members;
	double *excess;
	double *sums; /* by member: all 0, but while they are added up */
};

static int compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return first < second ? -1 : first > second;
}

/* 0 of none. Sorts them. */
static double median_of(double *values, size_t nr)
{
	if (!nr)
		return 0;
	qsort(values, nr, sizeof(*values), compare);
	return (values[(nr - 1) / 2] + values[nr / 2]) / 2;
}

static void take_block(struct test *test, const struct consistent_max_value *values, size_t nr)
{
	size_t at = test->first[test->nr_blocks];
	double *excess = test->excess + at, middle;

	for (size_t i = 0; i < nr; i++)
		excess[i] = values[i].value;
	middle = median_of(excess, nr);
	/* Where half of them have nothing, there is no measure for the others. */
	if (middle <= 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		test->members[at + i] = values[i].member;
		excess[i] = values[i].value / middle - 1;
	}
	test->first[++test->nr_blocks] = at + nr;
}

static void limit_excess(struct test *test)
{
	size_t nr = test->first[test->nr_blocks], nr_distances = 0;
	double *distances = xcalloc(nr, sizeof(*distances)), most;

	/* Who is in the middle, or as others are to the nanosecond, is no measure of what is usual. */
	for (size_t i = 0; i < nr; i++) {
		if (fabs(test->excess[i]) > 0)
			distances[nr_distances++] = fabs(test->excess[i]);
	}
	most = MOST_USUAL_DISTANCES * median_of(distances, nr_distances);
	free(distances);
	for (size_t i = 0; i < nr; i++)
		test->excess[i] = fmax(-most, fmin(test->excess[i], most));
}

/* The greatest sum, and in @member whose it is, if that is asked for. */
static double greatest_sum(const struct test *test, uint32_t *member)
{
	size_t nr = test->first[test->nr_blocks];
	double most = -INFINITY;

	for (size_t i = 0; i < nr; i++)
		test->sums[test->members[i]] += test->excess[i];
	for (size_t i = 0; i < nr; i++) {
		double sum = test->sums[test->members[i]];

		if (sum <= most)
			continue;
		most = sum;
		if (member)
			*member = test->members[i];
	}
	for (size_t i = 0; i < nr; i++)
		test->sums[test->members[i]] = 0;
	return most;
}

/* Fisher and Yates's shuffle of each block. */
static void deal_roles(struct test *test, struct random *random)
{
	for (size_t block = 0; block < test->nr_blocks; block++) {
		double *excess = test->excess + test->first[block];

		for (size_t left = test->first[block + 1] - test->first[block]; left > 1; left--) {
			size_t other = random_below(random, left);
			double swapped = excess[left - 1];

			excess[left - 1] = excess[other];
			excess[other] = swapped;
		}
	}
}

static size_t count_dealings(const struct test *test)
{
	size_t nr = (size_t)MOST_DEALINGS * MOST_VALUES / test->first[test->nr_blocks];

	if (nr > MOST_DEALINGS)
		return MOST_DEALINGS;
	return nr < LEAST_DEALINGS ? LEAST_DEALINGS : nr;
}

static double p_value(struct test *test, double seen)
{
	struct random random = { SEED };
	size_t nr = count_dealings(test), nr_as_great = 1, nr_dealt = 1;

	while (nr_dealt <= nr &&
	       (double)nr_as_great <= 2 * CONSISTENT_MAX_CHANCE * (double)(nr + 1)) {
		if (nr_dealt > ENOUGH_DEALINGS && nr_as_great == 1)
			break;
		deal_roles(test, &random);
		nr_as_great += greatest_sum(test, NULL) >= seen - ROUNDING;
		nr_dealt++;
	}
	return (double)nr_as_great / (double)nr_dealt;
}

/* Every so many blocks are looked at. */
static size_t find_step(size_t nr_values, size_t nr_blocks)
{
	size_t step = (nr_values + MOST_VALUES - 1) / MOST_VALUES;

	if (step > nr_blocks / LEAST_BLOCKS)
		step = nr_blocks / LEAST_BLOCKS;
	return step ? step : 1;
}

struct consistent_max consistent_max_test(const struct consistent_max_value *values,
					  const size_t *first, size_t nr_blocks, size_t nr_members)
{
	size_t nr_values = first[nr_blocks], step = find_step(nr_values, nr_blocks);
	struct consistent_max consistent_max = { .p_value = 1 };
	struct test test = {
		.first = xcalloc(nr_blocks + 1, sizeof(*test.first)),
		.members = xcalloc(nr_values, sizeof(*test.members)),
		.excess = xcalloc(nr_values, sizeof(*test.excess)),
		.sums = xcalloc(nr_members, sizeof(*test.sums)),
	};

	for (size_t block = 0; block < nr_blocks; block += step)
		take_block(&test, values + first[block], first[block + 1] - first[block]);
	if (test.nr_blocks) {
		double seen;

		limit_excess(&test);
		seen = greatest_sum(&test, &consistent_max.member);
		consistent_max.p_value = p_value(&test, seen);
	}
	free(test.first);
	free(test.members);
	free(test.excess);
	free(test.sums);
	return consistent_max;
}
