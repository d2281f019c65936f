/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of spans: rows -> lanes -> table 22; of what threads do in the kernel: table 29.
 */
#ifndef ANNOT_PAGE_OVERVIEW_SPANS_H
#define ANNOT_PAGE_OVERVIEW_SPANS_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* One lane for each depth of a thread's spans. */
struct overview_depths {
	uint32_t nr;
	struct lane *lanes;
};

/*
 * Adds the spans of one thread. Depth 255 is skipped: the model does not count further, so these
 * spans overlap.
 */
void overview_add_spans(struct overview_axis *axis, struct overview_depths *depths,
			const struct span_table *spans);
void overview_add_kernel_slices(struct overview_axis *axis, struct overview_depths *depths,
				const struct kernel_slice_table *slices);
void overview_coarsen_depths(struct overview_axis *axis, struct overview_depths *depths,
			     unsigned int nr_doublings);
void overview_free_depths(struct overview_axis *axis, struct overview_depths *depths);

/* Writes table 22 of @owner, with @nr_buckets. */
void overview_put_depths(struct overview_axis *axis, struct overview_depths *depths, uint64_t owner,
			 uint32_t nr_buckets, struct block *block);
/* Table 29. */
void overview_put_kernel_depths(struct overview_axis *axis, struct overview_depths *depths,
				uint64_t owner, uint32_t nr_buckets, struct block *block);

#endif /* ANNOT_PAGE_OVERVIEW_SPANS_H */
