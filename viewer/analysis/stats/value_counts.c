// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/value_counts.h"

#include "analysis/stats/distribution.h"
#include "util/spill/spill.h"

void value_counts_merge(struct value_counts *counts, const struct value_counts *more)
{
	for (size_t range = 0; range < VALUE_COUNTS_RANGES; range++)
		counts->counts[range] += more->counts[range];
}

/* Returns the range of the value at @nth, which becomes its place among those of the range. */
static size_t range_of_nth(const struct value_counts *counts, size_t *nth)
{
	size_t range = 0;

	while (*nth >= counts->counts[range])
		*nth -= counts->counts[range++];
	return range;
}

/* What value_counts_range() has as @range: so much from @least on. */
static uint64_t width_of(size_t range, uint64_t *least)
{
	unsigned int above = (unsigned int)(range >> VALUE_COUNTS_BITS);

	above -= above > 0;
	*least = (uint64_t)(range - ((size_t)above << VALUE_COUNTS_BITS)) << above;
	return 1ull << above;
}

uint64_t value_counts_nth(const struct value_counts *counts, const uint64_t *values, size_t nr,
			  size_t nth)
{
	size_t range = range_of_nth(counts, &nth), nr_in_range = 0;
	uint64_t *in_range = spill_resize(NULL, 0, counts->counts[range] + 1, sizeof(*in_range));
	uint64_t least, width = width_of(range, &least), value;

	/* Without branches, which no processor would foresee: behind the last one is room for any. */
	for (size_t i = 0; i < nr; i++) {
		in_range[nr_in_range] = values[i];
		nr_in_range += values[i] - least < width;
	}
	distribution_select_nth(in_range, nr_in_range, nth);
	value = in_range[nth];
	spill_free(in_range);
	return value;
}
