// SPDX-License-Identifier: GPL-2.0
/*
 * When counters run. While its trace event is enabled, an event of the set has a counter on each
 * CPU
 * that is online. Otherwise the PMU is not used.
 *
 * Trace events are enabled with the locks of ftrace and of the tracepoints held. perf's locks must
 * not be taken under them, because perf takes ftrace's under its own. So a work item makes and
 * releases counters. Their end in the trace is synchronous: it takes no lock.
 *
 * The callbacks of CPU hotplug only note which CPUs there are: the counter of a software event
 * cannot be made in one, because perf takes the hotplug lock for it. When a CPU goes, its callback
 * writes the last events of its counters on that CPU. perf itself then detaches the counters.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include <uapi/annot.h>

#include "ftrace/config.h"
#include "drain.h"
#include "hooks.h"
#include "pmu/pmu.h"
#include "pmu/cpu.h"
#include "pmu/event.h"
#include "pmu/run.h"
#include "pmu/sample.h"
#include "pmu/set.h"
#include "ftrace/recording.h"

/* Guards the set, is_hooked, and which perf events exist. perf's locks are taken under it. */
static DEFINE_MUTEX(pmu_lock);
static struct annot_pmu_set *current_set;
static bool is_hooked;

static unsigned int sampling_round; /* how often sampling was enabled */

static void pmu_update(struct work_struct *work);
static DECLARE_WORK(update_work, pmu_update);
static struct workqueue_struct *pmu_queue;
static DEFINE_SPINLOCK(queue_lock); /* guards is_closed and queueing the work */
static bool is_closed = true; /* outside init..exit */
static int hotplug_state;

/* Context: any but NMI. */
static void pmu_schedule_update(void)
{
	unsigned long flags;

	spin_lock_irqsave(&queue_lock, flags);
	if (!is_closed)
		queue_work(pmu_queue, &update_work);
	spin_unlock_irqrestore(&queue_lock, flags);
}

void annot_pmu_begin_mode(u8 mode)
{
	if (mode == ANNOT_EVENT_SAMPLE)
		WRITE_ONCE(sampling_round, sampling_round + 1);
	WRITE_ONCE(annot_pmu_run_mode_enabled[mode], true);
	pmu_schedule_update();
}

static void pmu_stop_everywhere(u8 mode)
{
	on_each_cpu(annot_pmu_run_stop_mode_here, (void *)(unsigned long)mode, true);
}

/* An update under way may still start counters: their CPU checks the mode again. */
void annot_pmu_end_mode(u8 mode)
{
	WRITE_ONCE(annot_pmu_run_mode_enabled[mode], false);
	pmu_stop_everywhere(mode);
	pmu_schedule_update();
}

unsigned int annot_pmu_nr_counters(void)
{
	return annot_pmu_run_nr_counters();
}

u64 annot_pmu_throttled_ns(void)
{
	return annot_pmu_counter_throttled_ns();
}

static bool pmu_event_is_wanted(const struct annot_pmu_event *event)
{
	return !event->error && READ_ONCE(annot_pmu_run_mode_enabled[event->mode]) &&
	       !annot_pmu_event_limit_is_reached(event);
}

static u32 pmu_wanted_events(const struct annot_pmu_set *set)
{
	u32 mask = 0;
	u32 i;

	for (i = 0; i < set->nr; i++) {
		if (pmu_event_is_wanted(&set->events[i]))
			mask |= BIT(i);
	}
	return mask;
}

/* The events of @mask that have a counter on @cpu, also one that failed. */
static u32 pmu_present_events(const struct annot_pmu_set *set, int cpu, u32 mask)
{
	const struct annot_pmu_counter *counters = per_cpu_ptr(set->counters, cpu);
	u32 i;

	for (i = 0; i < set->nr; i++) {
		if (!counters[i].perf && !counters[i].error)
			mask &= ~BIT(i);
	}
	return mask;
}

static void pmu_release_stopped(struct annot_pmu_set *set, int cpu)
{
	struct annot_pmu_counter *counter = per_cpu_ptr(set->counters, cpu);
	u32 i;

	for (i = 0; i < set->nr; i++, counter++) {
		if (READ_ONCE(counter->running))
			continue;
		if (counter->perf)
			perf_event_release_kernel(counter->perf);
		counter->perf = NULL;
		counter->error = 0;
	}
}

static void pmu_create(struct annot_pmu_counter *counter, int cpu)
{
	struct annot_pmu_event *event = counter->event;
	perf_overflow_handler_t handler = event->mode == ANNOT_EVENT_SAMPLE ?
						  annot_pmu_sample_overflow :
						  NULL;
	struct perf_event *perf;

	counter->nr_ignored = 0;
	perf = annot_pmu_event_create(&event->attr, cpu, handler, counter);
	if (IS_ERR(perf))
		counter->error = -PTR_ERR(perf);
	else
		counter->perf = perf;
}

static void pmu_create_missing(struct annot_pmu_set *set, int cpu, u32 wanted)
{
	struct annot_pmu_counter *counters = per_cpu_ptr(set->counters, cpu);
	u32 missing = wanted & ~pmu_present_events(set, cpu, wanted);
	u32 i;

	for (i = 0; i < set->nr; i++) {
		if (missing & BIT(i))
			pmu_create(&counters[i], cpu);
	}
}

/*
 * The CPU may go at any time. Its callback stops what runs and schedules another update; nothing is
 * started after that.
 */
static void pmu_update_cpu(struct annot_pmu_set *set, int cpu, u32 wanted)
{
	struct annot_pmu_cpu *there = per_cpu_ptr(&annot_pmu_cpu, cpu);
	struct annot_pmu_run_call call = {
		.set = set,
		.mask = READ_ONCE(there->running) & ~wanted,
	};

	if (call.mask)
		smp_call_function_single(cpu, annot_pmu_run_stop_here, &call, true);
	pmu_release_stopped(set, cpu);
	if (!READ_ONCE(there->online))
		return;
	pmu_create_missing(set, cpu, wanted);
	call.mask = wanted & ~READ_ONCE(there->running);
	if (!call.mask)
		return;
	smp_call_function_single(cpu, annot_pmu_run_start_here, &call, true);
	if (!READ_ONCE(there->online))
		pmu_release_stopped(set, cpu);
}

/* max_samples counts from the start of each recording. */
static void pmu_renew_limits(struct annot_pmu_set *set)
{
	unsigned int round = READ_ONCE(sampling_round);
	u32 i;

	if (set->sampling_round == round)
		return;
	set->sampling_round = round;
	for (i = 0; i < set->nr; i++)
		atomic64_set(&set->events[i].nr_samples, 0);
}

/*
 * Slices are counted from the first switch after the counters start: so the hook comes first. So
 * does
 * the state in which annotations cut slices; rings close, so that none takes a record that does
 * not.
 */
static bool pmu_hook_switches(void)
{
	int err;

	if (is_hooked)
		return true;
	err = annot_hooks_begin_counting();
	if (err)
		pr_err("annot: cannot follow sched_switch, nothing is counted: error %d\n", err);
	is_hooked = !err;
	if (is_hooked) {
		annot_recording_set_counting(true);
		annot_drain_close_everywhere();
	}
	return is_hooked;
}

static void pmu_unhook_switches(void)
{
	if (!is_hooked)
		return;
	annot_hooks_end_counting();
	annot_recording_set_counting(false);
	is_hooked = false;
}

static void pmu_run_events(struct annot_pmu_set *set, u32 wanted)
{
	int cpu;

	if (wanted)
		annot_config_use_events();
	if (wanted & set->masks[ANNOT_EVENT_COUNT] && !pmu_hook_switches())
		wanted &= ~set->masks[ANNOT_EVENT_COUNT];
	for_each_possible_cpu(cpu)
		pmu_update_cpu(set, cpu, wanted);
	if (!(wanted & set->masks[ANNOT_EVENT_COUNT]))
		pmu_unhook_switches();
}

static void pmu_update(struct work_struct *work)
{
	mutex_lock(&pmu_lock);
	if (current_set) {
		pmu_renew_limits(current_set);
		pmu_run_events(current_set, pmu_wanted_events(current_set));
	}
	mutex_unlock(&pmu_lock);
}

static void pmu_end_current_set(void)
{
	struct annot_pmu_set *set = current_set;

	annot_config_set_events(NULL, 0);
	pmu_stop_everywhere(ANNOT_EVENT_SAMPLE);
	pmu_stop_everywhere(ANNOT_EVENT_COUNT);
	pmu_run_events(set, 0);
	current_set = NULL;
	/* An overflow handler that was interrupted may go on with a counter that is released. */
	synchronize_rcu();
	annot_pmu_set_free(set);
}

static bool pmu_set_is_used(const struct annot_pmu_set *set)
{
	u8 mode;

	for (mode = ANNOT_EVENT_SAMPLE; mode <= ANNOT_EVENT_COUNT; mode++) {
		if (set->masks[mode] && READ_ONCE(annot_pmu_run_mode_enabled[mode]))
			return true;
	}
	return false;
}

int annot_pmu_use_set(struct annot_pmu_set *set, const struct file *owner)
{
	int err = 0;

	mutex_lock(&pmu_lock);
	if (current_set && current_set->owner != owner)
		err = set ? -EBUSY : 0;
	else if (current_set && set && pmu_set_is_used(current_set))
		err = -EBUSY;
	else if (current_set)
		pmu_end_current_set();
	if (!err && set) {
		current_set = set;
		annot_config_set_events(set->texts, set->nr);
	}
	mutex_unlock(&pmu_lock);
	if (!err && set)
		pmu_schedule_update();
	return err;
}

static int pmu_cpu_online(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(annot_pmu_cpu, cpu).online, true);
	pmu_schedule_update();
	return 0;
}

static int pmu_cpu_offline(unsigned int cpu)
{
	annot_pmu_run_end_cpu(cpu);
	pmu_schedule_update();
	return 0;
}

int annot_pmu_init(void)
{
	pmu_queue = alloc_workqueue("annot", WQ_UNBOUND | WQ_HIGHPRI, 1);
	if (!pmu_queue)
		return -ENOMEM;
	annot_pmu_cpus_init(pmu_schedule_update);
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "annot:online", pmu_cpu_online,
					  pmu_cpu_offline);
	if (hotplug_state < 0) {
		destroy_workqueue(pmu_queue);
		return hotplug_state;
	}
	spin_lock_irq(&queue_lock);
	is_closed = false;
	spin_unlock_irq(&queue_lock);
	return 0;
}

/* There is no set any more: a set holds its file open, and the file holds the module. */
void annot_pmu_exit(void)
{
	spin_lock_irq(&queue_lock);
	is_closed = true;
	spin_unlock_irq(&queue_lock);
	cpuhp_remove_state(hotplug_state);
	destroy_workqueue(pmu_queue);
	annot_pmu_cpus_exit();
}
