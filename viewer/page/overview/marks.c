// SPDX-License-Identifier: GPL-2.0
#include "page/overview/marks.h"
#include "page/overview/runs.h"

struct mark_point {
	uint32_t bucket;
	uint32_t name; /* of the first */
	uint64_t first_ns;
	uint64_t count;
};

static void merge_points(void *point, const void *other)
{
	struct mark_point *mark = point;
	const struct mark_point *more = other;

	mark->count += more->count;
	if (more->first_ns < mark->first_ns) {
		mark->first_ns = more->first_ns;
		mark->name = more->name;
	}
}

static const struct overview_point_type type = { sizeof(struct mark_point), merge_points };

void overview_add_mark(struct overview_axis *axis, struct overview_points *marks, uint64_t time_ns,
		       uint32_t name)
{
	struct mark_point mark = { (uint32_t)(time_ns >> axis->shift), name, time_ns, 1 };

	overview_points_add(axis, marks, &type, &mark);
}

void overview_coarsen_marks(struct overview_axis *axis, struct overview_points *marks,
			    unsigned int nr_doublings)
{
	overview_points_coarsen(axis, marks, &type, nr_doublings);
}

void overview_put_marks(const struct overview_points *marks, uint64_t owner, uint32_t nr_buckets,
			struct block *block)
{
	struct runs runs = { .kind = PAGE_MARK_OVERVIEW };
	const struct mark_point *points = (const void *)marks->points;
	uint64_t nothing[RUNS_COLUMNS_MAX] = { 0 };
	uint32_t at = 0;

	for (size_t i = 0; i < marks->nr; i++) {
		uint64_t values[RUNS_COLUMNS_MAX] = { 0, points[i].name, points[i].count };

		runs_add(&runs, points[i].bucket - at, nothing);
		runs_add(&runs, 1, values);
		at = points[i].bucket + 1;
	}
	if (at)
		runs_add(&runs, nr_buckets - at, nothing);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}

void overview_free_marks(struct overview_axis *axis, struct overview_points *marks)
{
	overview_points_free(axis, marks, &type);
}
