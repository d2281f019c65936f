/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why the last thread of a region was last. The times of its way to the end are compared with the averages
 * of the other threads. The reason is the time with the greatest excess. All differences add up to the
 * time by which the thread was behind that average.
 *
 * If the reason is useful time, the thread had more work, with two exceptions:
 * - migrated: the thread migrated in this region, and in the regions of the group without a migration, it
 *   needs (median) less by half of the excess or more;
 * - more misses: an event of misses was measured, the thread's misses exceed the others' rate by more than three standard
 *   deviations, and these misses cost half of the excess or more.
 */
#ifndef ANNOT_STRAGGLER_H
#define ANNOT_STRAGGLER_H

#include "model/model.h"

enum region_time {
	REGION_USEFUL,
	REGION_WAITING, /* in wait spans, and from its end to the end of the last thread */
	REGION_PREEMPTED,
	REGION_WAKEUP, /* woken, or released by the barrier before, and not yet on a CPU */
	REGION_BLOCKED, /* asleep, outside wait spans */
	REGION_LATE, /* before its begin, for another reason */
	REGION_UNKNOWN, /* events were lost */
	REGION_STOLEN, /* on a CPU, outside wait spans, but in interrupts */
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
	STRAGGLER_INTERRUPTED,
	NR_STRAGGLER_REASONS,
};

struct straggler {
	size_t part; /* of regions.threads */
	enum straggler_reason why;
	uint64_t behind_ns; /* the average end of the others */
	uint64_t excess_ns; /* the part of behind_ns that is due to the reason */
	/* The thread that ran in its place, if it was preempted or woken late; or MODEL_NO_THREAD. */
	uint32_t by_thread;
};

struct regions;

/* Fills in `last` of all regions. @miss_ns: of each of the model's pmu_events, what a miss costs; 0: it is no miss. */
void stragglers_compute(struct regions *regions, const struct model *model, const double *miss_ns);

/* "more work", "preempted", ... */
const char *straggler_reason_name(enum straggler_reason why);

#endif /* ANNOT_STRAGGLER_H */
