// SPDX-License-Identifier: GPL-2.0
/*
 * What each slice of a thread has counted: read at the switch that ends the slice, and at each
 * begin and end of a span, which cut the slice.
 *
 * perf's function that reads a counter on its own CPU is not exported; this code does the same.
 */
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include <uapi/annot.h>

#include "call_batch.h"
#include "ftrace/events.h"
#include "pmu/counter.h"
#include "pmu/cpu.h"
#include "pmu/slice.h"

/* Return: whether the counter ran all the time since the end of the last slice. */
static bool slice_take_count(struct annot_pmu_counter *counter, u64 *counted)
{
	bool was_active = test_bit(COUNTER_WAS_ACTIVE, &counter->flags);
	bool active;
	u64 count;

	*counted = 0;
	if (!counter->perf)
		return false;
	active = annot_pmu_counter_read(counter, &count);
	*counted = count - counter->slice_count;
	counter->slice_count = count;
	if (active != was_active)
		change_bit(COUNTER_WAS_ACTIVE, &counter->flags);
	return active && was_active;
}

/*
 * Reads what was counted up to now. Interrupts are off. Return: whether there is anything to
 * emit.
 */
static bool slice_take(struct annot_counts *counts)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);
	struct annot_pmu_set *set = here->set;
	struct annot_pmu_counter *counters;
	bool any = false;
	u32 i;

	counts->nr = 0;
	counts->invalid = 0;
	if (!set || !(here->running & set->masks[ANNOT_EVENT_COUNT]))
		return false;
	counts->nr = set->nr_counted;
	counters = this_cpu_ptr(set->counters);
	for (i = 0; i < counts->nr; i++) {
		/* An event that was refused keeps its place, without a counter. */
		if (!slice_take_count(&counters[set->counted[i]], &counts->counts[i]))
			counts->invalid |= BIT(i);
		any |= counts->counts[i];
	}
	/* That nothing was counted tells only then from a turn of others. */
	any |= set->shared && !is_idle_task(current);
	/* A missing counter is reported once, not with each slice. */
	any |= counts->invalid & ~here->known_invalid;
	here->known_invalid = counts->invalid;
	return any;
}

void annot_pmu_slice_take(struct annot_counts *counts)
{
	slice_take(counts);
}

void annot_pmu_slice_end(void)
{
	struct annot_counts counts;

	annot_call_batch_flush();
	if (slice_take(&counts))
		annot_events_emit_slice_counts(&counts, ANNOT_ENDED_BY_SWITCH);
}

void annot_pmu_slice_cut_by_timer(void)
{
	if (!is_idle_task(current))
		annot_pmu_slice_cut(ANNOT_ENDED_BY_TIMER);
}

void annot_pmu_slice_cut(u8 ended_by)
{
	struct annot_counts counts;
	unsigned long flags;

	local_irq_save(flags);
	annot_call_batch_flush();
	slice_take(&counts);
	if (counts.nr)
		annot_events_emit_slice_counts(&counts, ended_by);
	local_irq_restore(flags);
}
