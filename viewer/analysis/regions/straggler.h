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
#ifndef ANNOT_STRAGGLER_H
#define ANNOT_STRAGGLER_H

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

enum straggler_reason {
	STRAGGLER_MORE_WORK,
	STRAGGLER_MORE_MISSES,
	STRAGGLER_PREEMPTED,
	STRAGGLER_MIGRATED,
	STRAGGLER_WOKEN_LATE,
	STRAGGLER_BLOCKED,
	STRAGGLER_STARTED_LATE,
	STRAGGLER_UNKNOWN, /* events were lost just there */
	NR_STRAGGLER_REASONS,
};

struct straggler {
	size_t part; /* of regions.threads */
	enum straggler_reason why;
	uint64_t behind_ns; /* the others' average end */
	uint64_t excess_ns; /* of what made it late: this is how much of it is due to it */
	/* Who ran in its place, if it was preempted or woken late; or MODEL_NO_THREAD. */
	uint32_t by_thread;
};

struct regions;

/* Fills in `last` of all regions. @levels: of the model's pmu_events. */
void stragglers_compute(struct regions *regions, const struct model *model,
			const enum miss_level *levels);

/* "more work", "preempted", ... */
const char *straggler_reason_name(enum straggler_reason why);

#endif /* ANNOT_STRAGGLER_H */
