// SPDX-License-Identifier: GPL-2.0
/*
 * The state of each CPU, and the timer that checks its counters while they run. The timer is
 * deferrable, so that an idle CPU can sleep: nothing is missed there.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>

#include "pmu/cpu.h"

#define CHECK_JIFFIES (HZ / 10)

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

void annot_pmu_cpus_init(void (*update)(void))
{
	struct annot_pmu_cpu *there;
	int cpu;

	cpu_limit_reached = update;
	for_each_possible_cpu(cpu) {
		there = per_cpu_ptr(&annot_pmu_cpu, cpu);
		timer_setup(&there->timer, cpu_check, TIMER_PINNED | TIMER_DEFERRABLE);
		init_irq_work(&there->kick, cpu_kicked);
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
