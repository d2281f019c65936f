// SPDX-License-Identifier: GPL-2.0
#include "analysis/miss_ratio.h"

#include <stdlib.h>

#include "util/xalloc.h"

/* A curve that begins with as many lines as accesses, but for so much, has done so from 0 on. */
#define MOST_REPEATED 0.01

static double slope(const struct working_set_point *from, const struct working_set_point *to)
{
	return (to->bytes - from->bytes) / (to->accesses - from->accesses);
}

/* The corners of the least concave curve from 0 on that no point is above (Andrew's scan). */
static size_t find_corners(const struct working_set_curve *curve, struct working_set_point *corners)
{
	size_t nr = 1;

	corners[0] = (struct working_set_point){ 0 };
	for (size_t i = 0; i < curve->nr; i++) {
		while (nr > 1 && slope(&corners[nr - 2], &corners[nr - 1]) <=
					 slope(&corners[nr - 1], &curve->points[i]))
			nr--;
		corners[nr++] = curve->points[i];
	}
	return nr;
}

bool miss_ratio_at(const struct working_set_curve *curve, double cache_bytes, double *ratio)
{
	const struct working_set_point *first = curve->points;
	struct working_set_point *corners;
	size_t nr, at = 1;

	if (!curve->nr)
		return false;
	if (cache_bytes >= curve->points[curve->nr - 1].bytes) {
		*ratio = 0;
		return curve->is_whole;
	}
	if (cache_bytes < first->bytes &&
	    first->bytes < (1 - MOST_REPEATED) * first->accesses * curve->line_bytes)
		return false;
	corners = xcalloc(curve->nr + 1, sizeof(*corners));
	nr = find_corners(curve, corners);
	while (at + 1 < nr && corners[at].bytes <= cache_bytes)
		at++;
	*ratio = slope(&corners[at - 1], &corners[at]) / curve->line_bytes;
	*ratio = *ratio > 1 ? 1 : *ratio;
	free(corners);
	return true;
}
