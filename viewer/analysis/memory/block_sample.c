// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/block_sample.h"

#include <stdlib.h>

#include "analysis/stats/sampled_sum.h"
#include "symbols/data/sampled_block.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

void block_hits_add(struct block_hits *hits, size_t row, uint64_t address, uint64_t period)
{
	ARRAY_MAKE_ROOM(hits->hits, hits->nr, hits->capacity);
	hits->hits[hits->nr++] = (struct block_hit){ row, address >> SAMPLED_BLOCK_LINE_SHIFT,
						     (double)period };
}

static int compare_hits(const void *a, const void *b)
{
	const struct block_hit *first = a, *second = b;

	if (first->row != second->row)
		return first->row < second->row ? -1 : 1;
	return first->line < second->line ? -1 : first->line > second->line;
}

void block_hits_settle(struct block_hits *hits)
{
	if (hits->nr)
		qsort(hits->hits, hits->nr, sizeof(*hits->hits), compare_hits);
}

static double at_most_all(double share)
{
	return share < 1 ? share : 1;
}

struct block_estimate block_hits_estimate(const struct block_hits *hits, size_t row,
					  uint64_t one_of, double all)
{
	size_t at = LOWER_BOUND(i, 0, hits->nr, hits->hits[i].row < row);
	struct block_estimate estimate = { .one_of = one_of };
	struct sampled_sum sum = { 0 };
	struct sum_estimate bounds;

	while (at < hits->nr && hits->hits[at].row == row) {
		uint64_t line = hits->hits[at].line;
		double value = 0, variance = 0;

		for (; at < hits->nr && hits->hits[at].row == row && hits->hits[at].line == line;
		     at++) {
			value += hits->hits[at].period;
			variance += hits->hits[at].period * hits->hits[at].period;
		}
		sampled_sum_add(&sum, value, variance);
		estimate.nr_lines++;
	}
	bounds = sampled_sum_estimate(&sum, (double)one_of);
	estimate.is_known = bounds.has_bounds && all > 0;
	if (!estimate.is_known)
		return estimate;
	estimate.share = bounds.value / all;
	estimate.low = at_most_all(bounds.low / all);
	estimate.high = at_most_all(bounds.high / all);
	return estimate;
}

void block_hits_free(struct block_hits *hits)
{
	free(hits->hits);
	*hits = (struct block_hits){ 0 };
}
