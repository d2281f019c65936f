/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview as it stands in a page: in few buckets for the first drawing, of which the size does not
 * grow with the trace, and if that lacks detail, in more of them.
 */
#ifndef ANNOT_PAGE_LEVELS_H
#define ANNOT_PAGE_LEVELS_H

#include "page/block.h"
#include "page/overview/overview.h"

struct overview_level {
	uint32_t nr_buckets;
	uint64_t bucket_ns;
	struct packed_block block; /* empty: there is no such level */
};

/* Zero-initialise; overview_levels_free(). */
struct overview_levels {
	struct overview_level first;
	struct overview_level fine; /* none if the first one has all detail */
};

/* Packs @overview, which is made coarser meanwhile. Returns -1 if memory ran out. */
int overview_levels_pack(struct overview_levels *levels, struct overview *overview,
			 const struct model *rest);

void overview_level_drop(struct overview_level *level);
void overview_levels_free(struct overview_levels *levels);

#endif /* ANNOT_PAGE_LEVELS_H */
