// SPDX-License-Identifier: GPL-2.0
#include "analysis/distribution.h"

/* Selection in place, as Hoare and Wirth have it. */
void select_nth(uint64_t *values, size_t nr, size_t k)
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

struct distribution distribution_of(uint64_t *values, size_t nr)
{
	struct distribution distribution = { .min = UINT64_MAX };
	uint64_t below = 0;

	if (!nr)
		return (struct distribution){ 0 };
	for (size_t i = 0; i < nr; i++) {
		distribution.sum += values[i];
		if (values[i] < distribution.min)
			distribution.min = values[i];
		if (values[i] > distribution.max)
			distribution.max = values[i];
	}
	select_nth(values, nr, nr / 2);
	distribution.median = values[nr / 2];
	if (nr % 2)
		return distribution;
	for (size_t i = 0; i < nr / 2; i++) {
		if (values[i] > below)
			below = values[i];
	}
	distribution.median = below + (distribution.median - below) / 2;
	return distribution;
}
