// SPDX-License-Identifier: GPL-2.0
#include "page/overview/densities.h"

#include <stdlib.h>

#include "page/overview/runs.h"
#include "util/xalloc.h"

static struct lane *lane_of(struct overview_densities *densities, uint8_t event)
{
	if (event >= densities->nr) {
		densities->lanes = xrealloc_array(densities->lanes, (size_t)event + 1,
						  sizeof(*densities->lanes));
		while (densities->nr <= event)
			densities->lanes[densities->nr++] = lane_new(true);
	}
	return &densities->lanes[event];
}

static void add_to_eighth(struct overview_axis *axis, struct lane *lane, uint64_t eighth,
			  uint64_t amount)
{
	if (amount)
		lane_add(axis, lane, (uint32_t)(eighth / LANE_DENSE),
			 (uint32_t)(eighth % LANE_DENSE), amount);
}

void overview_add_spread(struct overview_axis *axis, struct overview_densities *densities,
			 uint8_t event, uint64_t from_ns, uint64_t to_ns, uint64_t amount)
{
	unsigned int shift = axis->shift - 3;
	struct lane *lane = lane_of(densities, event);
	uint64_t eighth = from_ns >> shift, before = 0;

	for (; to_ns > from_ns && eighth < (to_ns - 1) >> shift; eighth++) {
		uint64_t past_ns = ((eighth + 1) << shift) - from_ns;
		uint64_t upto = (uint64_t)((unsigned __int128)amount * past_ns / (to_ns - from_ns));

		add_to_eighth(axis, lane, eighth, upto - before);
		before = upto;
	}
	add_to_eighth(axis, lane, eighth, amount - before);
}

void overview_coarsen_densities(struct overview_axis *axis, struct overview_densities *densities,
				unsigned int nr_doublings)
{
	for (uint32_t event = 0; event < densities->nr; event++)
		lane_coarsen(axis, &densities->lanes[event], nr_doublings, true);
}

static void find_extremes(const struct lane_cell *cell, uint64_t *min, uint64_t *max)
{
	*min = UINT64_MAX;
	*max = 0;
	for (uint32_t i = 0; i < cell->nr; i++) {
		if (cell->amounts[i].amount < *min)
			*min = cell->amounts[i].amount;
		if (cell->amounts[i].amount > *max)
			*max = cell->amounts[i].amount;
	}
	/* Empty eighths are not stored. */
	if (cell->nr < LANE_DENSE)
		*min = 0;
}

void overview_put_density(struct overview_axis *axis, struct overview_densities *densities,
			  uint8_t event, uint8_t kind, uint64_t owner, uint32_t nr_buckets,
			  struct block *block)
{
	struct runs runs = { .kind = kind };
	uint64_t values[RUNS_COLUMNS_MAX] = { 0 }, nothing[RUNS_COLUMNS_MAX] = { 0 };
	struct lane_reader reader;
	const struct lane_cell *cell;
	uint32_t at = 0;

	if (event >= densities->nr)
		return;
	lane_read_begin(&reader, axis, &densities->lanes[event]);
	while ((cell = lane_read(&reader))) {
		values[1] = lane_cell_sum(cell);
		find_extremes(cell, &values[2], &values[3]);
		runs_add(&runs, cell->bucket - at, nothing);
		runs_add(&runs, 1, values);
		at = cell->bucket + 1;
	}
	if (at)
		runs_add(&runs, nr_buckets - at, nothing);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}

void overview_free_densities(struct overview_axis *axis, struct overview_densities *densities)
{
	for (uint32_t event = 0; event < densities->nr; event++)
		lane_free(axis, &densities->lanes[event]);
	free(densities->lanes);
}
