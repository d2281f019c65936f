/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When counters run.
 *
 * A set of events is made by ANNOT_IOC_EVENTS (pmu/ioctl.c, pmu/set.c), and each event is tried
 * once
 * (pmu/event.c). While its trace event is enabled, it has a counter on each CPU that is online
 * (pmu.c). What happens to a counter is written into the trace on its CPU with interrupts off
 * (pmu/run.c, pmu/cpu.c, pmu/counter.c, pmu/slice.c), samples in its overflow interrupt
 * (pmu/sample.c).
 */
#ifndef ANNOT_KMOD_PMU_H
#define ANNOT_KMOD_PMU_H

#include <linux/types.h>

struct annot_pmu_set;
struct file;

#ifdef CONFIG_PERF_EVENTS

int annot_pmu_init(void);
void annot_pmu_exit(void);

/*
 * @mode (ANNOT_EVENT_SAMPLE or ANNOT_EVENT_COUNT) is recorded from now on, or no longer. When it
 * ends, its last events go into the trace. Context: process, with the event mutex held.
 */
void annot_pmu_begin_mode(u8 mode);
void annot_pmu_end_mode(u8 mode);

/*
 * Puts @set to use, and ends and frees the former one of @owner. NULL: only the latter.
 * Return: 0, or -EBUSY: another file has a set, or the former one is in use. May sleep.
 */
int annot_pmu_use_set(struct annot_pmu_set *set, const struct file *owner);

unsigned int annot_pmu_nr_counters(void); /* that run, on all CPUs */
u64 annot_pmu_throttled_ns(void); /* since load, of all counters together */

#else

static inline int annot_pmu_init(void)
{
	return 0;
}

static inline void annot_pmu_exit(void)
{
}

static inline void annot_pmu_begin_mode(u8 mode)
{
}

static inline void annot_pmu_end_mode(u8 mode)
{
}

static inline unsigned int annot_pmu_nr_counters(void)
{
	return 0;
}

static inline u64 annot_pmu_throttled_ns(void)
{
	return 0;
}

#endif

#endif /* ANNOT_KMOD_PMU_H */
