/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which memory an event of that name is a miss of, and what such a miss costs.
 *
 * The costs are what a load waits at least for the next level, of a core of Intel's of 2015 to 2023
 * at 3 GHz: 14 cycles for L2, 44 for L3, 230 for memory, 30 for a walk through page tables that are
 * in the caches. A core that does other things meanwhile waits less, a busy memory takes longer:
 * time that is estimated from them is right within a factor of about two.
 */
#ifndef ANNOT_MISS_LEVEL_H
#define ANNOT_MISS_LEVEL_H

#include "model/model.h"

enum miss_level {
	MISS_NONE, /* the event is not a miss, or its name does not say so */
	MISS_TLB,
	MISS_L1,
	MISS_L2,
	MISS_L3,
	NR_MISS_LEVELS,
};

/* Of names like l1_cache_miss, MEM_LOAD_RETIRED:L2_MISS, LLC-load-misses, dtlb_load_miss, r08d1. */
enum miss_level miss_level_of_name(const char *name);

enum miss_level miss_level_of_event(const struct model *model, size_t event);

/* Of each of the model's events. free() them. */
enum miss_level *miss_levels_of_model(const struct model *model);

/* In nanoseconds; 0 of MISS_NONE. */
double miss_cost_ns(enum miss_level level);

/*
 * Of a line that another core has written to, and that it must hand over: 75 cycles, if it is of the
 * same package. (Levinthal: Performance Analysis Guide for Intel Core i7 Processor and Intel Xeon 5500
 * Processors, 2009.)
 */
double miss_taken_line_cost_ns(void);

/* What so many cost of @each_ns, as a time; at most @most_ns. */
uint64_t miss_total_ns(double each_ns, double misses, uint64_t most_ns);

/* "L1", "TLB", ... */
const char *miss_level_name(enum miss_level level);

#endif /* ANNOT_MISS_LEVEL_H */
