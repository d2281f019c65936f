/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of CPUs: slices -> lane -> table 20.
 */
#ifndef ANNOT_PAGE_OVERVIEW_CPUS_H
#define ANNOT_PAGE_OVERVIEW_CPUS_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* Adds the slices of one CPU to its lane, a lane of threads. */
void overview_add_slices(struct overview_axis *axis, struct lane *lane,
			 const struct slice_table *slices);

/* Writes table 20 of @owner, with @nr_buckets. */
void overview_put_cpu(struct overview_axis *axis, struct lane *lane, uint64_t owner,
		      uint32_t nr_buckets, struct block *block);

#endif /* ANNOT_PAGE_OVERVIEW_CPUS_H */
