/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why the last thread of a region was last: the times that its way to the end is made of are
 * compared with the average of the other threads'; the one that it has most of in excess is why. The
 * differences add up to how far it was behind that average.
 *
 * Where that is useful time, it had more work, unless
 * - it has been migrated in this region, and in the regions of this group in which it was not, it
 *   needs (median) so much less that this is half of the excess or more: migrated;
 * - an event that is a miss (miss_level.h) was measured, and what it has of it beyond the others'
 *   rate in as much useful time is more than three standard deviations, and costs half of the excess
 *   or more: more misses.
 */
#ifndef ANNOT_WHY_LAST_H
#define ANNOT_WHY_LAST_H

#include "analysis/base/miss_level.h"
#include "model/model.h"

enum region_time {
	REGION_USEFUL,
	REGION_WAITING, /* in wait spans; behind its end, too, until the last one's */
	REGION_PREEMPTED,
	REGION_WAKEUP, /* woken, or let go by the barrier before, and not yet on */
	REGION_BLOCKED, /* asleep, outside wait spans */
	REGION_LATE, /* before its begin, otherwise */
	REGION_UNKNOWN, /* events were lost */
	NR_REGION_TIMES,
};

enum why_last {
	LAST_MORE_WORK,
	LAST_MORE_MISSES,
	LAST_PREEMPTED,
	LAST_MIGRATED,
	LAST_WOKEN_LATE,
	LAST_BLOCKED,
	LAST_STARTED_LATE,
	LAST_UNKNOWN, /* events were lost just there */
	NR_WHY_LAST,
};

struct last_in {
	size_t part; /* of regions.threads */
	enum why_last why;
	uint64_t behind_ns; /* the others' average end */
	uint64_t excess_ns; /* of what made it late: this is how much of it is due to it */
	/* Who ran in its place, if it was preempted or woken late; or MODEL_NO_THREAD. */
	uint32_t by_thread;
};

struct regions;

/* Fills in `last` of all regions. @levels: of the model's pmu_events. */
void why_last(struct regions *regions, const struct model *model, const enum miss_level *levels);

/* "more work", "preempted", ... */
const char *why_last_name(enum why_last why);

#endif /* ANNOT_WHY_LAST_H */
