/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the overview that is time: CPUs, states, spans. Rows to lanes, lanes to tables.
 */
#ifndef ANNOT_PAGE_OVERVIEW_TIMES_H
#define ANNOT_PAGE_OVERVIEW_TIMES_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* The lane of each depth of one thread's spans. */
struct overview_depths {
	uint32_t nr;
	struct lane *lanes;
};

/* Slices of one CPU: a lane of threads. */
void overview_add_slices(struct overview_axis *axis, struct lane *lane,
			 const struct slice_table *slices);

/* Of one thread: a dense lane. */
void overview_add_states(struct overview_axis *axis, struct lane *lane,
			 const struct state_table *states);

/* Of one thread. Depth 255 is left out: it is where the model stops counting, so spans overlap. */
void overview_add_spans(struct overview_axis *axis, struct overview_depths *depths,
			const struct span_table *spans);
void overview_coarsen_depths(struct overview_axis *axis, struct overview_depths *depths,
			     unsigned int nr_doublings);
void overview_free_depths(struct overview_axis *axis, struct overview_depths *depths);

/* Tables 20, 21 and 22 of @owner, over @nr_buckets. */
void overview_put_cpu(struct overview_axis *axis, struct lane *lane, uint64_t owner,
		      uint32_t nr_buckets, struct block *block);
void overview_put_states(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			 uint32_t nr_buckets, struct block *block);
void overview_put_depths(struct overview_axis *axis, struct overview_depths *depths, uint64_t owner,
			 uint32_t nr_buckets, struct block *block);

#endif /* ANNOT_PAGE_OVERVIEW_TIMES_H */
