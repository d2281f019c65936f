// SPDX-License-Identifier: GPL-2.0
/*
 * The state of each CPU, and the timer that checks its counters while they run. The timer is
 * deferrable, so that an idle CPU can sleep: nothing is missed there.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>

#include "compat.h"
#include "pmu/cpu.h"
#include "pmu/slice.h"

#define CHECK_JIFFIES (HZ / 10)

/*
 * perf's turns last 4 ms, or what is in the PMU's perf_event_mux_interval_ms, at least this. So a
 * counter that ran at both ends of a part ran in all of it.
 */
#define CUT_INTERVAL_NS NSEC_PER_MSEC

DEFINE_PER_CPU(struct annot_pmu_cpu, annot_pmu_cpu);

static void (*cpu_limit_reached)(void); /* what annot_pmu_cpus_init() was given */

static void cpu_check(struct timer_list *unused)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);
	unsigned long delay = CHECK_JIFFIES;
	struct annot_pmu_counter *counters;
	unsigned long flags;
	u32 i;

	local_irq_save(flags);
	if (here->set) {
		counters = this_cpu_ptr(here->set->counters);
		for (i = 0; i < here->set->nr; i++) {
			if (!(here->running & BIT(i)))
				continue;
			delay = min(delay, annot_pmu_counter_check(&counters[i]));
		}
		mod_timer(&here->timer, jiffies + delay);
	}
	local_irq_restore(flags);
}

static bool cpu_has_reached_limit(const struct annot_pmu_cpu *here)
{
	u32 i;

	for (i = 0; i < here->set->nr; i++) {
		if (here->running & BIT(i) &&
		    annot_pmu_event_limit_is_reached(&here->set->events[i]))
			return true;
	}
	return false;
}

/* No NMI any more. On PREEMPT_RT it is a thread, which other work of this CPU may interrupt. */
static void cpu_kicked(struct irq_work *work)
{
	struct annot_pmu_cpu *here;
	bool is_reached = false;
	unsigned long flags;

	local_irq_save(flags);
	here = this_cpu_ptr(&annot_pmu_cpu);
	if (here->set) {
		mod_timer(&here->timer, jiffies + 1);
		is_reached = cpu_has_reached_limit(here);
	}
	local_irq_restore(flags);
	if (is_reached)
		cpu_limit_reached();
}

static bool cpu_shares_counters(const struct annot_pmu_cpu *here)
{
	return here->set && here->running & here->set->shared;
}

static enum hrtimer_restart cpu_cut(struct hrtimer *timer)
{
	if (!cpu_shares_counters(this_cpu_ptr(&annot_pmu_cpu)))
		return HRTIMER_NORESTART;
	annot_pmu_slice_cut_by_timer();
	hrtimer_forward_now(timer, ns_to_ktime(CUT_INTERVAL_NS));
	return HRTIMER_RESTART;
}

void annot_pmu_cpu_cut_slices(void)
{
	struct annot_pmu_cpu *here = this_cpu_ptr(&annot_pmu_cpu);

	if (cpu_shares_counters(here))
		hrtimer_start(&here->cut, ns_to_ktime(CUT_INTERVAL_NS),
			      HRTIMER_MODE_REL_PINNED_HARD);
	else
		hrtimer_try_to_cancel(&here->cut);
}

void annot_pmu_cpus_init(void (*update)(void))
{
	struct annot_pmu_cpu *there;
	int cpu;

	cpu_limit_reached = update;
	for_each_possible_cpu(cpu) {
		there = per_cpu_ptr(&annot_pmu_cpu, cpu);
		timer_setup(&there->timer, cpu_check, TIMER_PINNED | TIMER_DEFERRABLE);
		init_irq_work(&there->kick, cpu_kicked);
		annot_hrtimer_setup(&there->cut, cpu_cut, HRTIMER_MODE_REL_PINNED_HARD);
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
		hrtimer_cancel(&there->cut);
	}
}
