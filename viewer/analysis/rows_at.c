// SPDX-License-Identifier: GPL-2.0
#include "analysis/rows_at.h"

size_t row_ending_after(const uint64_t *end_ns, size_t nr, uint64_t time_ns)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (end_ns[middle] > time_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

size_t state_row_at(const struct state_column *states, uint64_t time_ns)
{
	/* A row ends where the next starts; behind the last stands the end of the trace. */
	return states->nr ? row_ending_after(states->start_ns + 1, states->nr, time_ns) : 0;
}
