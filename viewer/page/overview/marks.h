/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of marks.
 */
#ifndef ANNOT_PAGE_OVERVIEW_MARKS_H
#define ANNOT_PAGE_OVERVIEW_MARKS_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/points.h"

/* Adds a mark of one thread. Among marks of the same time, the one added first counts as first. */
void overview_add_mark(struct overview_axis *axis, struct overview_points *marks, uint64_t time_ns,
		       uint32_t name);
void overview_coarsen_marks(struct overview_axis *axis, struct overview_points *marks,
			    unsigned int nr_doublings);
void overview_put_marks(const struct overview_points *marks, uint64_t owner, uint32_t nr_buckets,
			struct block *block);
void overview_free_marks(struct overview_axis *axis, struct overview_points *marks);

#endif /* ANNOT_PAGE_OVERVIEW_MARKS_H */
