// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/distribution.h"

/* Selection in place, as Hoare and Wirth have it. */
void distribution_select_nth(uint64_t *values, size_t nr, size_t k)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)nr - 1, wanted = (ptrdiff_t)k;

	while (low < high) {
		uint64_t pivot = values[wanted];
		ptrdiff_t left = low, right = high;

		while (left <= right) {
			while (values[left] < pivot)
				left++;
			while (pivot < values[right])
				right--;
			if (left <= right) {
				uint64_t kept = values[left];

				values[left++] = values[right];
				values[right--] = kept;
			}
		}
		if (right < wanted)
			low = left;
		if (wanted < left)
			high = right;
	}
}

/* The median of @nr values and @nr_zeros, of which there is at least one. */
static uint64_t median_of(uint64_t *values, size_t nr, size_t nr_zeros)
{
	size_t middle = (nr + nr_zeros) / 2;
	uint64_t above = 0, below = 0;

	if (middle >= nr_zeros) {
		distribution_select_nth(values, nr, middle - nr_zeros);
		above = values[middle - nr_zeros];
	}
	if ((nr + nr_zeros) % 2)
		return above;
	for (size_t i = 0; i + nr_zeros < middle; i++) {
		if (values[i] > below)
			below = values[i];
	}
	return distribution_middle(below, above);
}

struct distribution distribution_of(uint64_t *values, size_t nr, size_t nr_zeros)
{
	struct distribution distribution = { .min = nr_zeros ? 0 : UINT64_MAX };

	if (!nr)
		return (struct distribution){ 0 };
	for (size_t i = 0; i < nr; i++) {
		distribution.sum += values[i];
		if (values[i] < distribution.min)
			distribution.min = values[i];
		if (values[i] > distribution.max)
			distribution.max = values[i];
	}
	distribution.median = median_of(values, nr, nr_zeros);
	return distribution;
}
