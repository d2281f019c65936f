// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/row_search.h"

#include "util/lower_bound.h"

/* Between @low and @high: those before end until then, @high does not. */
static size_t search_rows(const uint64_t *end_ns, size_t low, size_t high, uint64_t time_ns)
{
	return LOWER_BOUND(row, low, high, end_ns[row] <= time_ns);
}

size_t row_search_after(const uint64_t *end_ns, size_t nr, uint64_t time_ns)
{
	return search_rows(end_ns, 0, nr, time_ns);
}

/* So many rows are looked at one by one: most searches end there, and processors foresee it. */
#define ROWS_IN_A_ROW 8

/* In steps that double, until the row is in the last one (Bentley, Yao: An Almost Optimal Algorithm
 * for Unbounded Searching, 1976). */
size_t row_search_after_near(const uint64_t *end_ns, size_t nr, uint64_t time_ns, size_t near)
{
	size_t step = 1, low, high;

	if (near >= nr || end_ns[near] > time_ns) {
		high = near < nr ? near : nr;
		while (step <= high && end_ns[high - step] > time_ns) {
			high -= step;
			step *= 2;
		}
		return search_rows(end_ns, step <= high ? high - step + 1 : 0, high, time_ns);
	}
	low = near + 1;
	for (size_t i = 0; i < ROWS_IN_A_ROW && low < nr; i++, low++) {
		if (end_ns[low] > time_ns)
			return low;
	}
	while (step <= nr - low && end_ns[low + step - 1] <= time_ns) {
		low += step;
		step *= 2;
	}
	high = step <= nr - low ? low + step - 1 : nr;
	return search_rows(end_ns, low, high, time_ns);
}

size_t row_search_state(const struct state_table *states, uint64_t time_ns)
{
	/* A row ends where the next starts; behind the last stands the end of the trace. */
	return states->nr ? row_search_after(states->start_ns + 1, states->nr, time_ns) : 0;
}

size_t row_search_state_near(const struct state_table *states, uint64_t time_ns, size_t near)
{
	return states->nr ? row_search_after_near(states->start_ns + 1, states->nr, time_ns, near) :
			    0;
}
