/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters of one CPU, and the timer that looks after them while they run.
 */
#ifndef ANNOT_KMOD_PMU_CPU_H
#define ANNOT_KMOD_PMU_CPU_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/timer.h>
#include <linux/types.h>

#include "pmu/set.h"

/* Changed and used on its CPU with interrupts off; running and online are read by others. */
struct annot_pmu_cpu {
	struct annot_pmu_set *set; /* NULL: nothing runs */
	u32 running; /* which of its counters */
	u32 known_invalid; /* counted events whose failure a slice has told of */
	bool online;
	struct timer_list timer; /* looks after what runs */
	struct irq_work kick; /* what an NMI wants done */
	struct hrtimer cut; /* cuts slices while events share counters */
};

DECLARE_PER_CPU(struct annot_pmu_cpu, annot_pmu_cpu);

/* @update: called when an event has reached its limit. Context: any but NMI. */
void annot_pmu_cpus_init(void (*update)(void));
void annot_pmu_cpus_exit(void);

/*
 * While events that share counters run here, slices are cut. Context: interrupts off, after what
 * runs has changed.
 */
void annot_pmu_cpu_cut_slices(void);

#endif /* ANNOT_KMOD_PMU_CPU_H */
