// SPDX-License-Identifier: GPL-2.0
/*
 * What happens to one counter, and goes into the trace: start and end, throttling, failure, and
 * samples that are missing.
 */
#include <linux/atomic.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>

#include "ftrace/events.h"
#include "pmu/counter.h"

#define CHECK_JIFFIES (HZ / 10)

/* Until a ring buffer has taken the start: trace-cmd switches the buffer on after the events. */
#define EMIT_JIFFIES (HZ / 50 + 1)

static atomic64_t throttled_ns = ATOMIC64_INIT(0); /* of all counters */

static bool counter_emit(const struct annot_pmu_counter *counter, u8 state, u64 value)
{
	return annot_events_emit_pmu_state(counter->event->index, state, value);
}

/*
 * Reads the count without the overflows that were ignored. NMIs may come between reading a counter
 * and starting it, or after stopping it: what has no sample must not be counted either.
 */
static bool counter_read_started(const struct annot_pmu_counter *counter, u64 *count)
{
	u64 nr_ignored;
	bool active;

	do {
		nr_ignored = READ_ONCE(counter->nr_ignored);
		active = annot_pmu_counter_read(counter, count);
		barrier();
	} while (READ_ONCE(counter->nr_ignored) != nr_ignored);
	*count -= nr_ignored * counter->event->attr.sample_period;
	return active;
}

/*
 * The total since the start. Of a counted event: the sum of the slices so far. Where the count has
 * more than is sampled: what the samples stand for.
 */
static u64 counter_total(const struct annot_pmu_counter *counter, u64 count)
{
	if (counter->event->mode == ANNOT_EVENT_SAMPLE && !counter->event->is_countable)
		return counter->nr_wanted * counter->event->attr.sample_period;
	if (counter->event->mode == ANNOT_EVENT_COUNT)
		count = counter->slice_count;
	return count - counter->start_count;
}

static void counter_emit_start(struct annot_pmu_counter *counter, u64 count)
{
	bool emitted;

	if (test_bit(COUNTER_EMITTED, &counter->flags))
		return;
	if (counter->error)
		emitted = counter_emit(counter, ANNOT_PMU_FAILED, counter->error);
	else
		emitted = counter_emit(counter, ANNOT_PMU_STARTED, counter_total(counter, count));
	if (emitted)
		set_bit(COUNTER_EMITTED, &counter->flags);
}

/*
 * The count says how many samples are due. The last one is taken as missing only when half a period
 * more is counted: an overflow may be on its way, and PEBS writes its record at the event after.
 */
static void counter_emit_lost(struct annot_pmu_counter *counter, u64 count)
{
	u64 period = counter->event->attr.sample_period;
	u64 due, seen = counter->nr_overflows + counter->nr_lost;

	if (!period || !counter->event->is_countable || count - counter->start_count < period / 2)
		return;
	due = div64_u64(count - period / 2, period) - div64_u64(counter->start_count, period);
	if ((s64)(due - seen) <= 0)
		return;
	counter_emit(counter, ANNOT_PMU_LOST_SAMPLES, due - seen);
	counter->nr_lost += due - seen;
}

void annot_pmu_counter_unthrottled(struct annot_pmu_counter *counter)
{
	u64 length_ns;

	if (!test_and_clear_bit(COUNTER_THROTTLED, &counter->flags))
		return;
	length_ns = ktime_get_mono_fast_ns() - counter->throttled_at_ns;
	atomic64_add(length_ns, &throttled_ns);
	counter_emit(counter, ANNOT_PMU_UNTHROTTLED, length_ns);
}

u64 annot_pmu_counter_throttled_ns(void)
{
	return atomic64_read(&throttled_ns);
}

void annot_pmu_counter_throttled(struct annot_pmu_counter *counter)
{
	counter->throttled_at_ns = ktime_get_mono_fast_ns();
	if (!test_and_set_bit(COUNTER_THROTTLED, &counter->flags))
		counter_emit(counter, ANNOT_PMU_THROTTLED, 0);
}

static void counter_check(struct annot_pmu_counter *counter)
{
	u64 count = 0;

	if (counter->perf) {
		counter_read_started(counter, &count);
		if (!counter->error && READ_ONCE(counter->perf->state) == PERF_EVENT_STATE_ERROR) {
			counter->error = EBUSY;
			clear_bit(COUNTER_EMITTED, &counter->flags);
		}
		if (!annot_pmu_counter_is_throttled(counter))
			annot_pmu_counter_unthrottled(counter);
		counter_emit_lost(counter, count);
	}
	counter_emit_start(counter, count);
}

static unsigned long counter_check_jiffies(const struct annot_pmu_counter *counter)
{
	if (test_bit(COUNTER_THROTTLED, &counter->flags))
		return 1;
	return test_bit(COUNTER_EMITTED, &counter->flags) ? CHECK_JIFFIES : EMIT_JIFFIES;
}

unsigned long annot_pmu_counter_check(struct annot_pmu_counter *counter)
{
	counter_check(counter);
	return counter_check_jiffies(counter);
}

void annot_pmu_counter_start(struct annot_pmu_counter *counter)
{
	counter->flags = 0;
	counter->nr_overflows = 0;
	counter->nr_wanted = 0;
	counter->nr_lost = 0;
	counter->start_count = 0;
	if (counter->perf && counter_read_started(counter, &counter->start_count))
		set_bit(COUNTER_WAS_ACTIVE, &counter->flags);
	counter->slice_count = counter->start_count;
	/* From here on its overflows count. */
	barrier();
	WRITE_ONCE(counter->running, true);
	counter_emit_start(counter, counter->start_count);
}

void annot_pmu_counter_stop(struct annot_pmu_counter *counter)
{
	u64 count;

	WRITE_ONCE(counter->running, false);
	barrier();
	if (!counter->perf)
		return;
	annot_pmu_counter_unthrottled(counter);
	counter_read_started(counter, &count);
	counter_emit_lost(counter, count);
	counter_emit(counter, ANNOT_PMU_STOPPED, counter_total(counter, count));
}
