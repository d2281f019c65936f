/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instants: one point for each bucket that has any, sorted by bucket, whatever the order of adding.
 */
#ifndef ANNOT_PAGE_OVERVIEW_POINTS_H
#define ANNOT_PAGE_OVERVIEW_POINTS_H

#include "page/overview/lane.h"

/* Fields except nr are private. The first member of a point is its bucket, a uint32_t. */
struct overview_points {
	size_t nr;
	size_t capacity;
	uint8_t *points;
};

struct overview_point_type {
	size_t bytes;
	/* Merges @other into @point, of the same bucket. @other was added later. */
	void (*merge)(void *point, const void *other);
};

void overview_points_add(struct overview_axis *axis, struct overview_points *points,
			 const struct overview_point_type *type, const void *point);
void overview_points_coarsen(struct overview_axis *axis, struct overview_points *points,
			     const struct overview_point_type *type, unsigned int nr_doublings);
void overview_points_free(struct overview_axis *axis, struct overview_points *points,
			  const struct overview_point_type *type);

#endif /* ANNOT_PAGE_OVERVIEW_POINTS_H */
