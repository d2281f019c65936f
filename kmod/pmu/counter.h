/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counter of one event on one CPU. Its functions run on that CPU with interrupts off.
 */
#ifndef ANNOT_KMOD_PMU_COUNTER_H
#define ANNOT_KMOD_PMU_COUNTER_H

#include <linux/perf_event.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "pmu/event.h"

/* Bits of annot_pmu_counter.flags. */
enum {
	COUNTER_EMITTED, /* its start or failure is in the trace */
	COUNTER_THROTTLED,
	COUNTER_WAS_ACTIVE, /* at the end of the slice before */
};

/* perf and error are changed by pmu.c; the rest on the counter's CPU, interrupts off or in them. */
struct annot_pmu_counter {
	struct annot_pmu_event *event;
	struct perf_event *perf; /* NULL: none, or it was refused */
	int error; /* errno, positive: nothing is counted */
	bool running; /* what happens to it goes into the trace */
	unsigned long flags; /* COUNTER_* */
	u64 start_count; /* the count when it was started */
	u64 slice_count; /* the count at the end of the last slice */
	u64 nr_overflows;
	u64 nr_wanted; /* of these: samples that were asked for */
	u64 nr_ignored; /* overflows while it was not running */
	u64 nr_lost; /* lost samples that the trace tells of */
	u64 throttled_at_ns;
};

/* Return: whether it counts now. Not for a counter without perf. */
static inline bool annot_pmu_counter_read(const struct annot_pmu_counter *counter, u64 *count)
{
	struct perf_event *perf = counter->perf;
	bool active = READ_ONCE(perf->state) == PERF_EVENT_STATE_ACTIVE &&
		      READ_ONCE(perf->oncpu) == smp_processor_id();

	if (active)
		perf->pmu->read(perf);
	*count = local64_read(&perf->count);
	return active;
}

/* How perf marks a throttled event (MAX_INTERRUPTS in kernel/events/core.c). */
static inline bool annot_pmu_counter_is_throttled(const struct annot_pmu_counter *counter)
{
	return READ_ONCE(counter->perf->hw.interrupts) == ~0ULL;
}

void annot_pmu_counter_start(struct annot_pmu_counter *counter);
void annot_pmu_counter_stop(struct annot_pmu_counter *counter);

/* Emits what happened to a running counter. Return: jiffies until it is to be checked again. */
unsigned long annot_pmu_counter_check(struct annot_pmu_counter *counter);

/* Both also in NMIs. The second emits an event if the counter was throttled. */
void annot_pmu_counter_throttled(struct annot_pmu_counter *counter);
void annot_pmu_counter_unthrottled(struct annot_pmu_counter *counter);

/* Nanoseconds that all counters together were throttled since load. */
u64 annot_pmu_counter_throttled_ns(void);

#endif /* ANNOT_KMOD_PMU_COUNTER_H */
