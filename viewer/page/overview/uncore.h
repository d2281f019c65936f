/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of counters that CPUs share: readings -> a lane of each counter -> table 46.
 */
#ifndef ANNOT_PAGE_OVERVIEW_UNCORE_H
#define ANNOT_PAGE_OVERVIEW_UNCORE_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* Zero-initialise; overview_free_uncore(). */
struct overview_uncore {
	size_t nr; /* at most MODEL_MOST_UNCORE_COUNTERS */
	struct lane *counters; /* by place in model.uncore_counters */
};

void overview_add_readings(struct overview_axis *axis, struct overview_uncore *uncore,
			   const struct uncore_reading_table *readings);
void overview_coarsen_uncore(struct overview_axis *axis, struct overview_uncore *uncore,
			     unsigned int nr_doublings);
/* Writes a table 46 of each counter that has readings, with @nr_buckets. */
void overview_put_uncore(struct overview_axis *axis, struct overview_uncore *uncore,
			 uint32_t nr_buckets, struct block *block);
void overview_free_uncore(struct overview_axis *axis, struct overview_uncore *uncore);

#endif /* ANNOT_PAGE_OVERVIEW_UNCORE_H */
