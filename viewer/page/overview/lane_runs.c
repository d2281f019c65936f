// SPDX-License-Identifier: GPL-2.0
#include "page/overview/lane_runs.h"

void lane_describe_most(const struct overview_axis *axis, const struct lane_cell *cell,
			uint64_t values[RUNS_COLUMNS_MAX])
{
	values[1] = lane_cell_most(cell)->of;
	values[2] = overview_share(axis, lane_cell_sum(cell));
}

void lane_runs_add(struct overview_axis *axis, struct lane *lane, uint32_t nr_buckets,
		   lane_describer *describe, struct runs *runs)
{
	uint64_t nothing[RUNS_COLUMNS_MAX] = { 0 };
	struct lane_reader reader;
	const struct lane_cell *cell;
	uint32_t at = 0;

	lane_read_begin(&reader, axis, lane);
	while ((cell = lane_read(&reader))) {
		uint32_t nr = cell->nr_whole ? cell->nr_whole : 1;
		uint64_t values[RUNS_COLUMNS_MAX] = { 0 };

		describe(axis, cell, values);
		runs_add(runs, cell->bucket - at, nothing);
		runs_add(runs, nr, values);
		at = cell->bucket + nr;
	}
	if (at)
		runs_add(runs, nr_buckets - at, nothing);
}
