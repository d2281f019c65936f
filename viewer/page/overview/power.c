// SPDX-License-Identifier: GPL-2.0
#include "page/overview/power.h"

#include "page/overview/runs.h"

void overview_add_idle(struct overview_axis *axis, struct lane *lane, const struct idle_table *idle)
{
	for (size_t i = 0; i < idle->nr; i++)
		lane_add_time(axis, lane, idle->start_ns[i], idle->end_ns[i], idle->state[i]);
}

void overview_add_frequencies(struct overview_axis *axis, struct lane *lane,
			      const struct frequency_table *frequencies)
{
	for (size_t i = 0; i < frequencies->nr; i++)
		lane_add_time(axis, lane, frequencies->start_ns[i], frequencies->end_ns[i],
			      frequencies->khz[i]);
}

static void describe_idle(const struct overview_axis *axis, const struct lane_cell *cell,
			  uint64_t values[RUNS_COLUMNS_MAX])
{
	values[1] = lane_cell_most(cell)->of;
	values[2] = overview_share(axis, lane_cell_sum(cell));
}

static void describe_frequencies(const struct overview_axis *axis, const struct lane_cell *cell,
				 uint64_t values[RUNS_COLUMNS_MAX])
{
	uint32_t least = UINT32_MAX, most = 0;
	double sum = 0, time_ns = 0;

	(void)axis;
	for (uint32_t i = 0; i < cell->nr; i++) {
		const struct lane_amount *amount = &cell->amounts[i];

		if (amount->of == LANE_OTHERS)
			continue;
		least = amount->of < least ? amount->of : least;
		most = amount->of > most ? amount->of : most;
		sum += (double)amount->of * (double)amount->amount;
		time_ns += (double)amount->amount;
	}
	values[1] = least;
	values[2] = most;
	values[3] = (uint64_t)(sum / time_ns + 0.5);
}

static void put_cells(struct overview_axis *axis, struct lane *lane, uint32_t nr_buckets,
		      void (*describe)(const struct overview_axis *axis,
				       const struct lane_cell *cell,
				       uint64_t values[RUNS_COLUMNS_MAX]),
		      struct runs *runs)
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

void overview_put_idle(struct overview_axis *axis, struct lane *lane, uint64_t owner,
		       uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_IDLE_OVERVIEW };

	put_cells(axis, lane, nr_buckets, describe_idle, &runs);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}

void overview_put_frequencies(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			      uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_FREQUENCY_OVERVIEW };

	put_cells(axis, lane, nr_buckets, describe_frequencies, &runs);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}
