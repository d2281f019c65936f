/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What each slice of a thread has counted.
 */
#ifndef ANNOT_KMOD_PMU_SLICE_H
#define ANNOT_KMOD_PMU_SLICE_H

#include <linux/types.h>

#include "ftrace/events.h"

#ifdef CONFIG_PERF_EVENTS

/* The current thread's slice on this CPU ends: emits its counts. Context: interrupts off. */
void annot_pmu_slice_end(void);

/* An annotation cuts the slice: emits its counts so far. @ended_by: ANNOT_ENDED_BY_*. */
void annot_pmu_slice_cut(u8 ended_by);

/* The same, of a thread; idle is not cut. Context: interrupts off. */
void annot_pmu_slice_cut_by_timer(void);

/* As annot_pmu_slice_cut(), but the caller emits @counts. Context: interrupts off. */
void annot_pmu_slice_take(struct annot_counts *counts);

#else

static inline void annot_pmu_slice_end(void)
{
}

static inline void annot_pmu_slice_cut(u8 ended_by)
{
}

static inline void annot_pmu_slice_take(struct annot_counts *counts)
{
	counts->nr = 0;
	counts->invalid = 0;
}

#endif

#endif /* ANNOT_KMOD_PMU_SLICE_H */
