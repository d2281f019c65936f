// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/rank_test.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

/* How many of the values from @at on are equal to @value. */
static size_t count_equal(const uint64_t *values, size_t nr, size_t at, uint64_t value)
{
	size_t end = at;

	while (end < nr && values[end] == value)
		end++;
	return end - at;
}

struct rank_test rank_test(uint64_t *first, size_t nr_first, uint64_t *second, size_t nr_second)
{
	double n = (double)nr_first, m = (double)nr_second, all = n + m;
	double wins = 0, ties = 0, variance, distance;
	size_t i = 0, j = 0;

	if (nr_first)
		qsort(first, nr_first, sizeof(*first), compare);
	if (nr_second)
		qsort(second, nr_second, sizeof(*second), compare);
	if (!nr_first || !nr_second)
		return (struct rank_test){ 0.5, 1 };
	while (j < nr_second) {
		uint64_t value = i < nr_first && first[i] < second[j] ? first[i] : second[j];
		double equal_first = (double)count_equal(first, nr_first, i, value);
		double equal_second = (double)count_equal(second, nr_second, j, value);
		double equal = equal_first + equal_second;

		wins += equal_second * ((double)i + equal_first / 2);
		ties += equal * equal * equal - equal;
		i += (size_t)equal_first;
		j += (size_t)equal_second;
	}
	/* What is left of the first is greater than all; its ties count as well. */
	while (i < nr_first) {
		double equal = (double)count_equal(first, nr_first, i, first[i]);

		ties += equal * equal * equal - equal;
		i += (size_t)equal;
	}
	variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
	distance = fabs(wins - n * m / 2) - 0.5;
	return (struct rank_test){
		.superiority = wins / (n * m),
		.p_value = variance > 0 && distance > 0 ? erfc(distance / sqrt(2 * variance)) : 1,
	};
}
