// SPDX-License-Identifier: GPL-2.0
#include "page/overview/power.h"

#include "page/overview/lane_runs.h"

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

void overview_put_idle(struct overview_axis *axis, struct lane *lane, uint64_t owner,
		       uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_IDLE_OVERVIEW };

	lane_runs_add(axis, lane, nr_buckets, lane_describe_most, &runs);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}

void overview_put_frequencies(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			      uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_FREQUENCY_OVERVIEW };

	lane_runs_add(axis, lane, nr_buckets, describe_frequencies, &runs);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}
