/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What happens at instants, a point for each bucket that has any: in order of the buckets, whatever
 * the order in which they are added.
 */
#ifndef ANNOT_PAGE_OVERVIEW_POINTS_H
#define ANNOT_PAGE_OVERVIEW_POINTS_H

#include "page/overview/lane.h"

/* Fields are private but nr. The first member of a point is its bucket, a uint32_t. */
struct overview_points {
	size_t nr;
	size_t capacity;
	uint8_t *points;
};

struct overview_point_type {
	size_t bytes;
	/* Adds what is in @other, of the same bucket, to @point; it was added later. */
	void (*merge)(void *point, const void *other);
};

void overview_points_add(struct overview_axis *axis, struct overview_points *points,
			 const struct overview_point_type *type, const void *point);
void overview_points_coarsen(struct overview_axis *axis, struct overview_points *points,
			     const struct overview_point_type *type, unsigned int nr_doublings);
void overview_points_free(struct overview_axis *axis, struct overview_points *points,
			  const struct overview_point_type *type);

#endif /* ANNOT_PAGE_OVERVIEW_POINTS_H */
