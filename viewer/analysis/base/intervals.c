// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/intervals.h"

#include <stdlib.h>

#include "util/lower_bound.h"
#include "util/sort.h"
#include "util/xalloc.h"

void intervals_add(struct intervals *intervals, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns >= to_ns)
		return;
	ARRAY_MAKE_ROOM(intervals->rows, intervals->nr, intervals->capacity);
	intervals->rows[intervals->nr++] = (struct interval){ from_ns, to_ns };
}

static bool is_in_order(const struct intervals *intervals)
{
	for (size_t i = 1; i < intervals->nr; i++) {
		if (intervals->rows[i].from_ns < intervals->rows[i - 1].from_ns)
			return false;
	}
	return true;
}

static void put_in_order(struct intervals *intervals)
{
	struct sort_pair *pairs = xcalloc(intervals->nr, sizeof(*pairs));

	for (size_t i = 0; i < intervals->nr; i++)
		pairs[i] = (struct sort_pair){ intervals->rows[i].from_ns,
					       intervals->rows[i].to_ns };
	sort_pairs(pairs, intervals->nr);
	for (size_t i = 0; i < intervals->nr; i++)
		intervals->rows[i] = (struct interval){ pairs[i].key, pairs[i].value };
	free(pairs);
}

void intervals_unite(struct intervals *intervals)
{
	struct interval *rows = intervals->rows;
	size_t nr = 0;

	if (!intervals->nr)
		return;
	if (!is_in_order(intervals))
		put_in_order(intervals);
	for (size_t i = 0; i < intervals->nr; i++) {
		if (!nr || rows[i].from_ns > rows[nr - 1].to_ns)
			rows[nr++] = rows[i];
		else if (rows[i].to_ns > rows[nr - 1].to_ns)
			rows[nr - 1].to_ns = rows[i].to_ns;
	}
	intervals->nr = nr;
}

uint64_t intervals_length_ns(const struct intervals *intervals)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < intervals->nr; i++)
		sum_ns += intervals->rows[i].to_ns - intervals->rows[i].from_ns;
	return sum_ns;
}

static uint64_t common_ns(const struct interval *first, const struct interval *second)
{
	uint64_t from_ns = first->from_ns > second->from_ns ? first->from_ns : second->from_ns;
	uint64_t to_ns = first->to_ns < second->to_ns ? first->to_ns : second->to_ns;

	return from_ns < to_ns ? to_ns - from_ns : 0;
}

uint64_t intervals_common_ns(const struct intervals *first, const struct intervals *second)
{
	uint64_t sum_ns = 0;
	size_t a = 0, b = 0;

	while (a < first->nr && b < second->nr) {
		sum_ns += common_ns(&first->rows[a], &second->rows[b]);
		if (first->rows[a].to_ns < second->rows[b].to_ns)
			a++;
		else
			b++;
	}
	return sum_ns;
}

bool intervals_touch(const struct intervals *intervals, uint64_t from_ns, uint64_t to_ns)
{
	size_t row = LOWER_BOUND(at, 0, intervals->nr, intervals->rows[at].to_ns <= from_ns);

	return row < intervals->nr && intervals->rows[row].from_ns < to_ns;
}

void intervals_free(struct intervals *intervals)
{
	free(intervals->rows);
	*intervals = (struct intervals){ 0 };
}
