/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds regions and the threads in them, for regions.c, which computes their figures.
 */
#ifndef ANNOT_REGION_SEARCH_H
#define ANNOT_REGION_SEARCH_H

#include "analysis/regions/regions.h"
#include "analysis/tasks/top_spans.h"

/* A thread's part of a region, with times of the model. */
struct region_part {
	uint32_t thread;
	uint64_t released_ns; /* the barrier before let it go; without one: from_ns */
	uint64_t from_ns;
	uint64_t to_ns;
};

struct region_search {
	const struct model *model;
	const struct barriers *barriers;
	const struct top_spans *tops;
	/* Told of each region, once, with the barrier that ends it, or NO_BARRIER. */
	void (*on_region)(void *context, size_t barrier, const struct region_part *parts,
			  size_t nr_parts);
	void *context;
};

/* Those between barriers, then those of tasks that overlap elsewhere. */
void region_search_each(const struct region_search *search);

#endif /* ANNOT_REGION_SEARCH_H */
