// SPDX-License-Identifier: GPL-2.0
/*
 * What each slice of a thread has counted, read at the switch that ends it; and at the spans that
 * the thread writes, which cut it.
 *
 * Perf's own way of reading a counter where it runs is not for modules; this is what it does.
 */
#include <linux/percpu.h>
#include <linux/smp.h>

#include "annot.h"
#include "pmu.h"

/* Return: whether it counted all the time since the last slice's end. */
static bool take_count(struct annot_counter *counter, u64 *counted)
{
	bool was_active = test_bit(COUNTER_WAS_ACTIVE, &counter->flags);
	bool active;
	u64 count;

	*counted = 0;
	if (!counter->perf)
		return false;
	active = annot_counter_read(counter, &count);
	*counted = count - counter->slice_count;
	counter->slice_count = count;
	if (active != was_active)
		change_bit(COUNTER_WAS_ACTIVE, &counter->flags);
	return active && was_active;
}

/* What was counted until now. Interrupts are off. Return: whether there is anything to tell. */
static bool take(struct annot_counts *counts)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);
	struct annot_pmu_set *set = here->set;
	struct annot_counter *counters;
	bool any = false;
	u32 i;

	counts->nr = 0;
	counts->invalid = 0;
	if (!set || !(here->running & set->masks[ANNOT_EVENT_COUNT]))
		return false;
	counts->nr = set->nr_counted;
	counters = this_cpu_ptr(set->counters);
	for (i = 0; i < counts->nr; i++) {
		/* One that was refused keeps its place, without a counter. */
		if (!take_count(&counters[set->counted[i]], &counts->counts[i]))
			counts->invalid |= BIT(i);
		any |= counts->counts[i];
	}
	/* That a counter is not there is said once; each slice without it would say nothing. */
	any |= counts->invalid & ~here->known_invalid;
	here->known_invalid = counts->invalid;
	return any;
}

void annot_slice_take(struct annot_counts *counts)
{
	take(counts);
}

void annot_slice_end(void)
{
	struct annot_counts counts;

	annot_calls_flush();
	if (take(&counts))
		annot_emit_slice_counts(&counts, ANNOT_COUNTED_SLICE);
}

void annot_slice_cut(u8 until)
{
	struct annot_counts counts;
	unsigned long flags;

	local_irq_save(flags);
	annot_calls_flush();
	take(&counts);
	if (counts.nr)
		annot_emit_slice_counts(&counts, until);
	local_irq_restore(flags);
}
