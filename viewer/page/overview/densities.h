/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of PMU events: the amount of each event on each CPU and in each thread.
 */
#ifndef ANNOT_PAGE_OVERVIEW_DENSITIES_H
#define ANNOT_PAGE_OVERVIEW_DENSITIES_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/*
 * The events of one CPU or thread: a dense lane of eighths for each event, up to the last one that
 * occurred.
 */
struct overview_densities {
	uint32_t nr;
	struct lane *lanes;
};

/*
 * Adds @amount, spread evenly over [@from_ns, @to_ns), or at @from_ns if that is empty. Cumulative
 * amounts are rounded down at each boundary, so the parts add up to @amount.
 */
void overview_add_spread(struct overview_axis *axis, struct overview_densities *densities,
			 uint8_t event, uint64_t from_ns, uint64_t to_ns, uint64_t amount);

void overview_coarsen_densities(struct overview_axis *axis, struct overview_densities *densities,
				unsigned int nr_doublings);

/* Writes table 23 or 24 of one owner and event, with @nr_buckets. */
void overview_put_density(struct overview_axis *axis, struct overview_densities *densities,
			  uint8_t event, uint8_t kind, uint64_t owner, uint32_t nr_buckets,
			  struct block *block);

void overview_free_densities(struct overview_axis *axis, struct overview_densities *densities);

#endif /* ANNOT_PAGE_OVERVIEW_DENSITIES_H */
