// SPDX-License-Identifier: GPL-2.0
#include "page/overview/points.h"

#include <stdlib.h>
#include <string.h>

#include "util/lower_bound.h"
#include "util/xalloc.h"

static uint32_t bucket_of(const void *point)
{
	uint32_t bucket;

	memcpy(&bucket, point, sizeof(bucket));
	return bucket;
}

static uint32_t bucket_at(const struct overview_points *points,
			  const struct overview_point_type *type, size_t at)
{
	return bucket_of(points->points + at * type->bytes);
}

/* The first one at or after @bucket: nearly always the last one, or the end. */
static size_t find_point(const struct overview_points *points,
			 const struct overview_point_type *type, uint32_t bucket)
{
	if (!points->nr || bucket_at(points, type, points->nr - 1) < bucket)
		return points->nr;
	if (bucket_at(points, type, points->nr - 1) == bucket)
		return points->nr - 1;
	return LOWER_BOUND(row, 0, points->nr, bucket_at(points, type, row) < bucket);
}

static void insert_point(struct overview_axis *axis, struct overview_points *points,
			 const struct overview_point_type *type, size_t at, const void *point)
{
	uint8_t *place;

	if (points->nr == points->capacity) {
		points->capacity = grown_capacity(points->capacity, points->nr + 1);
		points->points = xrealloc_array(points->points, points->capacity, type->bytes);
	}
	place = points->points + at * type->bytes;
	memmove(place + type->bytes, place, (points->nr - at) * type->bytes);
	memcpy(place, point, type->bytes);
	points->nr++;
	axis->nr_bytes += type->bytes;
}

void overview_points_add(struct overview_axis *axis, struct overview_points *points,
			 const struct overview_point_type *type, const void *point)
{
	size_t at = find_point(points, type, bucket_of(point));

	if (at < points->nr && bucket_at(points, type, at) == bucket_of(point))
		type->merge(points->points + at * type->bytes, point);
	else
		insert_point(axis, points, type, at, point);
}

void overview_points_coarsen(struct overview_axis *axis, struct overview_points *points,
			     const struct overview_point_type *type, unsigned int nr_doublings)
{
	size_t nr = 0;

	for (size_t i = 0; i < points->nr; i++) {
		uint8_t *point = points->points + i * type->bytes;
		uint32_t bucket = (uint32_t)((uint64_t)bucket_of(point) >> nr_doublings);

		memcpy(point, &bucket, sizeof(bucket));
		if (nr && bucket_at(points, type, nr - 1) == bucket)
			type->merge(points->points + (nr - 1) * type->bytes, point);
		else
			memmove(points->points + nr++ * type->bytes, point, type->bytes);
	}
	axis->nr_bytes -= (points->nr - nr) * type->bytes;
	points->nr = nr;
}

void overview_points_free(struct overview_axis *axis, struct overview_points *points,
			  const struct overview_point_type *type)
{
	axis->nr_bytes -= points->nr * type->bytes;
	free(points->points);
}
