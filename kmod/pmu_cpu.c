// SPDX-License-Identifier: GPL-2.0
/*
 * What happens to the counters of a CPU, and is told there: start and end, throttling, failure,
 * samples that are missing.
 *
 * A timer looks after them while they run. It lets an idle CPU sleep: nothing is missed there.
 */
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "annot.h"
#include "pmu.h"

#define CHECK_JIFFIES (HZ / 10)

/* Until a ring buffer has taken what is to be told: trace-cmd turns it on after the events. */
#define TELL_JIFFIES (HZ / 50 + 1)

DEFINE_PER_CPU(struct annot_pmu_cpu, annot_pmu_cpu);
atomic_t annot_pmu_nr_running = ATOMIC_INIT(0);
static atomic64_t throttled_ns = ATOMIC64_INIT(0); /* of all counters */

static bool tell(const struct annot_counter *counter, u8 state, u64 value)
{
	return annot_emit_pmu_state(counter->event->index, state, value);
}

/*
 * Without what overflows were ignored for: NMIs may come between a counter's being read and its
 * being started or after its being stopped, and what has no sample must not be counted either.
 */
static bool read_count(const struct annot_counter *counter, u64 *count)
{
	u64 nr_ignored;
	bool active;

	do {
		nr_ignored = READ_ONCE(counter->nr_ignored);
		active = annot_counter_read(counter, count);
		barrier();
	} while (READ_ONCE(counter->nr_ignored) != nr_ignored);
	*count -= nr_ignored * counter->event->attr.sample_period;
	return active;
}

/* What a total is told by: of a counted event, what the slices so far add up to. */
static u64 total(const struct annot_counter *counter, u64 count)
{
	if (counter->event->mode == ANNOT_EVENT_COUNT)
		count = counter->slice_count;
	return count - counter->start_count;
}

static void tell_beginning(struct annot_counter *counter, u64 count)
{
	bool told;

	if (test_bit(COUNTER_TOLD, &counter->flags))
		return;
	if (counter->error)
		told = tell(counter, ANNOT_PMU_FAILED, counter->error);
	else
		told = tell(counter, ANNOT_PMU_STARTED, total(counter, count));
	if (told)
		set_bit(COUNTER_TOLD, &counter->flags);
}

/*
 * By the count. The last sample is not missed before half a period more is counted: an overflow
 * may be on its way, and PEBS writes its record at the event after.
 */
static void tell_lost(struct annot_counter *counter, u64 count)
{
	u64 period = counter->event->attr.sample_period;
	u64 due, seen = counter->nr_overflows + counter->nr_lost;

	if (!period || !counter->event->is_countable || count - counter->start_count < period / 2)
		return;
	due = div64_u64(count - period / 2, period) - div64_u64(counter->start_count, period);
	if ((s64)(due - seen) <= 0)
		return;
	tell(counter, ANNOT_PMU_LOST_SAMPLES, due - seen);
	counter->nr_lost += due - seen;
}

void annot_counter_unthrottled(struct annot_counter *counter)
{
	u64 length_ns;

	if (!test_and_clear_bit(COUNTER_THROTTLED, &counter->flags))
		return;
	length_ns = ktime_get_mono_fast_ns() - counter->throttled_at_ns;
	atomic64_add(length_ns, &throttled_ns);
	tell(counter, ANNOT_PMU_UNTHROTTLED, length_ns);
}

u64 annot_pmu_throttled_ns(void)
{
	return atomic64_read(&throttled_ns);
}

void annot_counter_throttled(struct annot_counter *counter)
{
	counter->throttled_at_ns = ktime_get_mono_fast_ns();
	if (!test_and_set_bit(COUNTER_THROTTLED, &counter->flags))
		tell(counter, ANNOT_PMU_THROTTLED, 0);
}

static void check_counter(struct annot_counter *counter)
{
	u64 count = 0;

	if (counter->perf) {
		read_count(counter, &count);
		if (!counter->error && READ_ONCE(counter->perf->state) == PERF_EVENT_STATE_ERROR) {
			counter->error = EBUSY;
			clear_bit(COUNTER_TOLD, &counter->flags);
		}
		if (!annot_counter_is_throttled(counter))
			annot_counter_unthrottled(counter);
		tell_lost(counter, count);
	}
	tell_beginning(counter, count);
}

static unsigned long time_to_next_check(const struct annot_counter *counter)
{
	if (test_bit(COUNTER_THROTTLED, &counter->flags))
		return 1;
	return test_bit(COUNTER_TOLD, &counter->flags) ? CHECK_JIFFIES : TELL_JIFFIES;
}

static void check_here(struct timer_list *unused)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);
	unsigned long delay = CHECK_JIFFIES;
	struct annot_counter *counters;
	unsigned long flags;
	u32 i;

	local_irq_save(flags);
	if (here->set) {
		counters = this_cpu_ptr(here->set->counters);
		for (i = 0; i < here->set->nr; i++) {
			if (!(here->running & BIT(i)))
				continue;
			check_counter(&counters[i]);
			delay = min(delay, time_to_next_check(&counters[i]));
		}
		mod_timer(&here->timer, jiffies + delay);
	}
	local_irq_restore(flags);
}

static bool has_enough(const struct annot_pmu_cpu *here)
{
	u32 i;

	for (i = 0; i < here->set->nr; i++) {
		if (here->running & BIT(i) && annot_pmu_event_has_enough(&here->set->events[i]))
			return true;
	}
	return false;
}

/* It is no NMI any more; with PREEMPT_RT a thread, which other work of this CPU may interrupt. */
static void kicked(struct irq_work *work)
{
	struct annot_pmu_cpu *here;
	bool is_enough = false;
	unsigned long flags;

	local_irq_save(flags);
	here = this_cpu_ptr(&annot_pmu_cpu);
	if (here->set) {
		mod_timer(&here->timer, jiffies + 1);
		is_enough = has_enough(here);
	}
	local_irq_restore(flags);
	if (is_enough)
		annot_pmu_update();
}

static void start(struct annot_counter *counter)
{
	counter->flags = 0;
	counter->nr_overflows = 0;
	counter->nr_lost = 0;
	counter->start_count = 0;
	if (counter->perf && read_count(counter, &counter->start_count))
		set_bit(COUNTER_WAS_ACTIVE, &counter->flags);
	counter->slice_count = counter->start_count;
	/* From here on its overflows count. */
	barrier();
	WRITE_ONCE(counter->running, true);
	tell_beginning(counter, counter->start_count);
}

/* What ends while it is being started has been stopped here before, or will be. */
static u32 still_wanted(const struct annot_pmu_set *set)
{
	u32 mask = 0;
	u8 mode;

	for (mode = ANNOT_EVENT_SAMPLE; mode <= ANNOT_EVENT_COUNT; mode++) {
		if (READ_ONCE(annot_pmu_mode_enabled[mode]))
			mask |= set->masks[mode];
	}
	return mask;
}

void annot_pmu_start_here(void *info)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);
	struct annot_pmu_call *call = info;
	struct annot_counter *counters = this_cpu_ptr(call->set->counters);
	u32 mask = call->mask & still_wanted(call->set);
	u32 i;

	if (!here->online || !mask)
		return;
	here->set = call->set;
	here->known_invalid = 0;
	for (i = 0; i < call->set->nr; i++) {
		if (mask & BIT(i))
			start(&counters[i]);
	}
	WRITE_ONCE(here->running, here->running | mask);
	atomic_add(hweight32(mask), &annot_pmu_nr_running);
	mod_timer(&here->timer, jiffies + 1);
}

static void stop(struct annot_counter *counter)
{
	u64 count;

	WRITE_ONCE(counter->running, false);
	barrier();
	if (!counter->perf)
		return;
	annot_counter_unthrottled(counter);
	read_count(counter, &count);
	tell_lost(counter, count);
	tell(counter, ANNOT_PMU_STOPPED, total(counter, count));
}

static void stop_these(struct annot_pmu_cpu *here, u32 mask)
{
	struct annot_counter *counters;
	u32 i;

	mask &= here->running;
	if (!mask)
		return;
	/* What the current thread has counted so far. */
	if (mask & here->set->masks[ANNOT_EVENT_COUNT])
		annot_slice_end();
	counters = this_cpu_ptr(here->set->counters);
	for (i = 0; i < here->set->nr; i++) {
		if (mask & BIT(i))
			stop(&counters[i]);
	}
	atomic_sub(hweight32(mask), &annot_pmu_nr_running);
	WRITE_ONCE(here->running, here->running & ~mask);
	if (!here->running)
		here->set = NULL;
}

void annot_pmu_stop_here(void *info)
{
	struct annot_pmu_call *call = info;

	stop_these(this_cpu_ptr(&annot_pmu_cpu), call->mask);
}

void annot_pmu_stop_mode_here(void *mode)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);

	if (here->set)
		stop_these(here, here->set->masks[(unsigned long)mode]);
}

void annot_pmu_cpu_ends(unsigned int cpu)
{
	struct annot_pmu_cpu *here = per_cpu_ptr(&annot_pmu_cpu, cpu);
	unsigned long flags;

	local_irq_save(flags);
	WRITE_ONCE(here->online, false);
	stop_these(here, here->running);
	local_irq_restore(flags);
	timer_delete_sync(&here->timer);
}

void annot_pmu_cpus_init(void)
{
	struct annot_pmu_cpu *there;
	int cpu;

	for_each_possible_cpu(cpu) {
		there = per_cpu_ptr(&annot_pmu_cpu, cpu);
		timer_setup(&there->timer, check_here, TIMER_PINNED | TIMER_DEFERRABLE);
		init_irq_work(&there->kick, kicked);
	}
}

void annot_pmu_cpus_exit(void)
{
	struct annot_pmu_cpu *there;
	int cpu;

	for_each_possible_cpu(cpu) {
		there = per_cpu_ptr(&annot_pmu_cpu, cpu);
		irq_work_sync(&there->kick);
		timer_delete_sync(&there->timer);
	}
}
