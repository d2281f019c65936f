// SPDX-License-Identifier: GPL-2.0
/*
 * Starts and stops the counters of a CPU, on that CPU.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>

#include "pmu/cpu.h"
#include "pmu/run.h"
#include "pmu/slice.h"

bool annot_pmu_run_mode_enabled[2];

static atomic_t nr_running = ATOMIC_INIT(0);

unsigned int annot_pmu_run_nr_counters(void)
{
	return atomic_read(&nr_running);
}

/* A mode that ends meanwhile is stopped by an interrupt, before or after this. */
static u32 run_wanted_mask(const struct annot_pmu_set *set)
{
	u32 mask = 0;
	u8 mode;

	for (mode = ANNOT_EVENT_SAMPLE; mode <= ANNOT_EVENT_COUNT; mode++) {
		if (READ_ONCE(annot_pmu_run_mode_enabled[mode]))
			mask |= set->masks[mode];
	}
	return mask;
}

void annot_pmu_run_start_here(void *info)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);
	struct annot_pmu_run_call *call = info;
	struct annot_pmu_counter *counters = this_cpu_ptr(call->set->counters);
	u32 mask = call->mask & run_wanted_mask(call->set);
	u32 i;

	if (!here->online || !mask)
		return;
	here->set = call->set;
	here->known_invalid = 0;
	for (i = 0; i < call->set->nr; i++) {
		if (mask & BIT(i))
			annot_pmu_counter_start(&counters[i]);
	}
	WRITE_ONCE(here->running, here->running | mask);
	atomic_add(hweight32(mask), &nr_running);
	mod_timer(&here->timer, jiffies + 1);
	annot_pmu_cpu_cut_slices();
}

static void run_stop(struct annot_pmu_cpu *here, u32 mask)
{
	struct annot_pmu_counter *counters;
	u32 i;

	mask &= here->running;
	if (!mask)
		return;
	/* Emits what the current thread has counted so far. */
	if (mask & here->set->masks[ANNOT_EVENT_COUNT])
		annot_pmu_slice_end();
	counters = this_cpu_ptr(here->set->counters);
	for (i = 0; i < here->set->nr; i++) {
		if (mask & BIT(i))
			annot_pmu_counter_stop(&counters[i]);
	}
	atomic_sub(hweight32(mask), &nr_running);
	WRITE_ONCE(here->running, here->running & ~mask);
	if (!here->running)
		here->set = NULL;
	annot_pmu_cpu_cut_slices();
}

void annot_pmu_run_stop_here(void *info)
{
	struct annot_pmu_run_call *call = info;

	run_stop(this_cpu_ptr(&annot_pmu_cpu), call->mask);
}

void annot_pmu_run_stop_mode_here(void *mode)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);

	if (here->set)
		run_stop(here, here->set->masks[(unsigned long)mode]);
}

void annot_pmu_run_end_cpu(unsigned int cpu)
{
	struct annot_pmu_cpu *here = per_cpu_ptr(&annot_pmu_cpu, cpu);
	unsigned long flags;

	local_irq_save(flags);
	WRITE_ONCE(here->online, false);
	run_stop(here, here->running);
	local_irq_restore(flags);
	timer_delete_sync(&here->timer);
}
