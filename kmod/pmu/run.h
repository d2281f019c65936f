/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Starting and stopping the counters of a CPU. All on the CPU concerned, with interrupts off.
 */
#ifndef ANNOT_KMOD_PMU_RUN_H
#define ANNOT_KMOD_PMU_RUN_H

#include <linux/types.h>

#include "pmu/set.h"

/* Whether the trace event of ANNOT_EVENT_SAMPLE, ANNOT_EVENT_COUNT is enabled. Set by pmu.c. */
extern bool annot_pmu_run_mode_enabled[2];

/* Which counters start or stop. */
struct annot_pmu_run_call {
	struct annot_pmu_set *set;
	u32 mask;
};

/* @call: a struct annot_pmu_run_call; @mode: ANNOT_EVENT_*. For smp_call_function(). */
void annot_pmu_run_start_here(void *call);
void annot_pmu_run_stop_here(void *call);
void annot_pmu_run_stop_mode_here(void *mode);

/* The CPU goes offline. Context: its hotplug callback; sleeps. */
void annot_pmu_run_end_cpu(unsigned int cpu);

/* How many counters run on all CPUs. */
unsigned int annot_pmu_run_nr_counters(void);

#endif /* ANNOT_KMOD_PMU_RUN_H */
