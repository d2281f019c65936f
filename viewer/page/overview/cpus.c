// SPDX-License-Identifier: GPL-2.0
#include "page/overview/cpus.h"

#include "page/overview/runs.h"

void overview_add_slices(struct overview_axis *axis, struct lane *lane,
			 const struct slice_table *slices)
{
	for (size_t i = 0; i < slices->nr; i++)
		lane_add_time(axis, lane, slices->start_ns[i], slices->end_ns[i],
			      slices->thread[i]);
}

void overview_put_cpu(struct overview_axis *axis, struct lane *lane, uint64_t owner,
		      uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_CPU_OVERVIEW, .run_column = -1 };
	uint64_t nothing[RUNS_COLUMNS_MAX] = { 0 };
	struct lane_reader reader;
	const struct lane_cell *cell;
	uint32_t at = 0;

	lane_read_begin(&reader, axis, lane);
	while ((cell = lane_read(&reader))) {
		uint32_t nr = cell->nr_whole ? cell->nr_whole : 1;
		uint64_t values[RUNS_COLUMNS_MAX] = {
			(uint64_t)lane_cell_most(cell)->of + 1,
			overview_share(axis, lane_cell_sum(cell)),
		};

		runs_add(&runs, cell->bucket - at, nothing);
		runs_add(&runs, nr, values);
		at = cell->bucket + nr;
	}
	if (at)
		runs_add(&runs, nr_buckets - at, nothing);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}
