/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the overview that is spans of threads: rows to lanes, lanes to table 22.
 */
#ifndef ANNOT_PAGE_OVERVIEW_SPANS_H
#define ANNOT_PAGE_OVERVIEW_SPANS_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* The lane of each depth of one thread's spans. */
struct overview_depths {
	uint32_t nr;
	struct lane *lanes;
};

/* Of one thread. Depth 255 is left out: it is where the model stops counting, so spans overlap. */
void overview_add_spans(struct overview_axis *axis, struct overview_depths *depths,
			const struct span_table *spans);
void overview_coarsen_depths(struct overview_axis *axis, struct overview_depths *depths,
			     unsigned int nr_doublings);
void overview_free_depths(struct overview_axis *axis, struct overview_depths *depths);

/* Table 22 of @owner, over @nr_buckets. */
void overview_put_depths(struct overview_axis *axis, struct overview_depths *depths, uint64_t owner,
			 uint32_t nr_buckets, struct block *block);

#endif /* ANNOT_PAGE_OVERVIEW_SPANS_H */
