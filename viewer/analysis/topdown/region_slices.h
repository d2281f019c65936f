/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which slices, with their counts, are of which group of regions: of each thread of a region those between its begin there and its
 * end, when it is done. What it does then until the others are, is not in it.
 */
#ifndef ANNOT_REGION_SLICES_H
#define ANNOT_REGION_SLICES_H

#include "analysis/regions/regions.h"
#include "analysis/topdown/metric_slices.h"

struct region_slices {
	size_t nr_groups;
	struct metric_slices *groups; /* of the regions */
	uint64_t *on_cpu_ns; /* of each */
	struct event_figures
		*figures; /* of each, those of all events: unmeasured_ns and nothing else */
};

struct region_slices region_slices_compute(const struct model *model,
					   const struct regions *regions);
void region_slices_free(struct region_slices *slices);

#endif /* ANNOT_REGION_SLICES_H */
