// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/miss_ratio.h"

#include <stdlib.h>

#include "util/xalloc.h"

/* A curve that begins with as many lines as accesses, but for so much, has done so from 0 on. */
#define MOST_REPEATED 0.01

static double slope_between(const struct working_set_point *from,
			    const struct working_set_point *to)
{
	return (to->bytes - from->bytes) / (to->accesses - from->accesses);
}

/* The corners of the least concave curve from 0 on that no point is above (Andrew's scan). */
static size_t find_corners(const struct working_set_curve *curve, struct working_set_point *corners)
{
	size_t nr = 1;

	corners[0] = (struct working_set_point){ 0 };
	for (size_t i = 0; i < curve->nr; i++) {
		while (nr > 1 && slope_between(&corners[nr - 2], &corners[nr - 1]) <=
					 slope_between(&corners[nr - 1], &curve->points[i]))
			nr--;
		corners[nr++] = curve->points[i];
	}
	return nr;
}

/* Whether a cache of that size misses nothing, or nothing is known of it; else find its place. */
static bool is_outside(const struct working_set_curve *curve, double cache_bytes, double *ratio,
		       bool *known)
{
	const struct working_set_point *first = curve->points;

	*known = false;
	if (!curve->nr)
		return true;
	if (cache_bytes >= curve->points[curve->nr - 1].bytes) {
		*ratio = 0;
		*known = curve->is_whole;
		return true;
	}
	return cache_bytes < first->bytes &&
	       first->bytes < (1 - MOST_REPEATED) * first->accesses * curve->line_bytes;
}

/* The corners around the size of the cache: the curve rises from the one before @to up to @to. */
static struct working_set_point *corners_around(const struct working_set_curve *curve,
						double cache_bytes, size_t *to)
{
	struct working_set_point *corners = xcalloc(curve->nr + 1, sizeof(*corners));
	size_t nr = find_corners(curve, corners);

	for (*to = 1; *to + 1 < nr && corners[*to].bytes <= cache_bytes; ++*to)
		;
	return corners;
}

bool miss_ratio_at(const struct working_set_curve *curve, double cache_bytes, double *ratio)
{
	struct working_set_point *corners;
	bool known;
	size_t to;

	if (is_outside(curve, cache_bytes, ratio, &known))
		return known;
	corners = corners_around(curve, cache_bytes, &to);
	*ratio = slope_between(&corners[to - 1], &corners[to]) / curve->line_bytes;
	*ratio = *ratio > 1 ? 1 : *ratio;
	free(corners);
	return true;
}

bool miss_ratio_most(const struct working_set_curve *curve, double cache_bytes, double *ratio)
{
	struct working_set_point *corners;
	double accesses;
	bool known;
	size_t to;

	if (is_outside(curve, cache_bytes, ratio, &known))
		return known;
	corners = corners_around(curve, cache_bytes, &to);
	accesses = corners[to].accesses - (corners[to].bytes - cache_bytes) /
						  slope_between(&corners[to - 1], &corners[to]);
	*ratio = cache_bytes / curve->line_bytes / accesses;
	*ratio = *ratio > 1 ? 1 : *ratio;
	free(corners);
	return true;
}
