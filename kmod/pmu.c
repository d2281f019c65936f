// SPDX-License-Identifier: GPL-2.0
/*
 * When counters run: an event of the set has one on each CPU that is online, from its trace event
 * being enabled to its being disabled, and while nobody asks for it the PMU is left alone.
 *
 * Trace events are enabled with the locks of ftrace and of the tracepoints held, under which
 * perf's must not be taken (perf takes ftrace's under its own). So counters are made and released
 * by a work item. Their end, as far as the trace knows, is synchronous: it takes no lock.
 *
 * CPU hotplug only says which CPUs there are: a software event's counter cannot be made in a
 * hotplug callback, since perf takes the hotplug lock for it. The last of a CPU that goes is told
 * by the callback, on that CPU; perf itself then detaches its counters.
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

#include "annot.h"
#include "pmu.h"

/* Guards the set, hooked, and which perf events there are. Perf's locks are taken under it. */
static DEFINE_MUTEX(pmu_lock);
static struct annot_pmu_set *current_set;
static bool hooked;

/* Of ANNOT_EVENT_SAMPLE and ANNOT_EVENT_COUNT: whether the trace event is enabled. */
bool annot_pmu_mode_enabled[2];
static unsigned int sampling_round; /* how often it was */

static void update_counters(struct work_struct *work);
static DECLARE_WORK(update_work, update_counters);
static struct workqueue_struct *queue;
static DEFINE_SPINLOCK(queue_lock); /* guards closed and queueing the work */
static bool closed = true; /* outside init..exit */
static int hotplug_state;

void annot_pmu_update(void)
{
	unsigned long flags;

	spin_lock_irqsave(&queue_lock, flags);
	if (!closed)
		queue_work(queue, &update_work);
	spin_unlock_irqrestore(&queue_lock, flags);
}

void annot_pmu_begin_mode(u8 mode)
{
	if (mode == ANNOT_EVENT_SAMPLE)
		WRITE_ONCE(sampling_round, sampling_round + 1);
	WRITE_ONCE(annot_pmu_mode_enabled[mode], true);
	annot_pmu_update();
}

static void stop_everywhere(u8 mode)
{
	on_each_cpu(annot_pmu_stop_mode_here, (void *)(unsigned long)mode, true);
}

/* An update that is under way may still start counters: on their CPU that is looked at again. */
void annot_pmu_end_mode(u8 mode)
{
	WRITE_ONCE(annot_pmu_mode_enabled[mode], false);
	stop_everywhere(mode);
	annot_pmu_update();
}

unsigned int annot_pmu_counters(void)
{
	return atomic_read(&annot_pmu_nr_running);
}

static bool is_wanted(const struct annot_pmu_event *event)
{
	return !event->error && READ_ONCE(annot_pmu_mode_enabled[event->mode]) &&
	       !annot_pmu_event_has_enough(event);
}

static u32 wanted_events(const struct annot_pmu_set *set)
{
	u32 mask = 0;
	u32 i;

	for (i = 0; i < set->nr; i++) {
		if (is_wanted(&set->events[i]))
			mask |= BIT(i);
	}
	return mask;
}

/* Which of @mask have a counter on @cpu, be it one that failed. */
static u32 present(const struct annot_pmu_set *set, int cpu, u32 mask)
{
	const struct annot_counter *counters = per_cpu_ptr(set->counters, cpu);
	u32 i;

	for (i = 0; i < set->nr; i++) {
		if (!counters[i].perf && !counters[i].error)
			mask &= ~BIT(i);
	}
	return mask;
}

static void release_stopped(struct annot_pmu_set *set, int cpu)
{
	struct annot_counter *counter = per_cpu_ptr(set->counters, cpu);
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

static void create(struct annot_counter *counter, int cpu)
{
	struct annot_pmu_event *event = counter->event;
	perf_overflow_handler_t handler = event->mode == ANNOT_EVENT_SAMPLE ?
						  annot_counter_overflow :
						  NULL;
	struct perf_event *perf;

	counter->nr_ignored = 0;
	perf = annot_pmu_event_create(&event->attr, cpu, handler, counter);
	if (IS_ERR(perf))
		counter->error = -PTR_ERR(perf);
	else
		counter->perf = perf;
}

static void create_missing(struct annot_pmu_set *set, int cpu, u32 wanted)
{
	struct annot_counter *counters = per_cpu_ptr(set->counters, cpu);
	u32 missing = wanted & ~present(set, cpu, wanted);
	u32 i;

	for (i = 0; i < set->nr; i++) {
		if (missing & BIT(i))
			create(&counters[i], cpu);
	}
}

/*
 * The CPU may go at any time. Its callback stops what runs and asks for another update; nothing
 * is started after that.
 */
static void update_cpu(struct annot_pmu_set *set, int cpu, u32 wanted)
{
	struct annot_pmu_cpu *there = per_cpu_ptr(&annot_pmu_cpu, cpu);
	struct annot_pmu_call call = {
		.set = set,
		.mask = READ_ONCE(there->running) & ~wanted,
	};

	if (call.mask)
		smp_call_function_single(cpu, annot_pmu_stop_here, &call, true);
	release_stopped(set, cpu);
	if (!READ_ONCE(there->online))
		return;
	create_missing(set, cpu, wanted);
	call.mask = wanted & ~READ_ONCE(there->running);
	if (!call.mask)
		return;
	smp_call_function_single(cpu, annot_pmu_start_here, &call, true);
	if (!READ_ONCE(there->online))
		release_stopped(set, cpu);
}

/* max_samples is of each recording. */
static void renew_limits(struct annot_pmu_set *set)
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
 * Slices are counted from the first switch after the counters' start: the hook comes first. So does
 * what has annotations cut them.
 */
static bool hook_switches(void)
{
	int err;

	if (hooked)
		return true;
	err = annot_hooks_begin_counting();
	if (err)
		pr_err("annot: cannot follow sched_switch, nothing is counted: error %d\n", err);
	hooked = !err;
	if (hooked)
		annot_recording_set_counting(true);
	return hooked;
}

static void unhook_switches(void)
{
	if (!hooked)
		return;
	annot_hooks_end_counting();
	annot_recording_set_counting(false);
	hooked = false;
}

static void run(struct annot_pmu_set *set, u32 wanted)
{
	int cpu;

	if (wanted)
		annot_config_events_used();
	if (wanted & set->masks[ANNOT_EVENT_COUNT] && !hook_switches())
		wanted &= ~set->masks[ANNOT_EVENT_COUNT];
	for_each_possible_cpu(cpu)
		update_cpu(set, cpu, wanted);
	if (!(wanted & set->masks[ANNOT_EVENT_COUNT]))
		unhook_switches();
}

static void update_counters(struct work_struct *work)
{
	mutex_lock(&pmu_lock);
	if (current_set) {
		renew_limits(current_set);
		run(current_set, wanted_events(current_set));
	}
	mutex_unlock(&pmu_lock);
}

static void end_current_set(void)
{
	struct annot_pmu_set *set = current_set;

	annot_config_set_events(NULL, 0);
	stop_everywhere(ANNOT_EVENT_SAMPLE);
	stop_everywhere(ANNOT_EVENT_COUNT);
	run(set, 0);
	current_set = NULL;
	/* An overflow handler that was interrupted may go on with the counter that is released. */
	synchronize_rcu();
	annot_pmu_free_set(set);
}

static bool in_use(const struct annot_pmu_set *set)
{
	u8 mode;

	for (mode = ANNOT_EVENT_SAMPLE; mode <= ANNOT_EVENT_COUNT; mode++) {
		if (set->masks[mode] && READ_ONCE(annot_pmu_mode_enabled[mode]))
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
	else if (current_set && set && in_use(current_set))
		err = -EBUSY;
	else if (current_set)
		end_current_set();
	if (!err && set) {
		current_set = set;
		annot_config_set_events(set->texts, set->nr);
	}
	mutex_unlock(&pmu_lock);
	if (!err && set)
		annot_pmu_update();
	return err;
}

static int come_online(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(annot_pmu_cpu, cpu).online, true);
	annot_pmu_update();
	return 0;
}

static int go_offline(unsigned int cpu)
{
	annot_pmu_cpu_ends(cpu);
	annot_pmu_update();
	return 0;
}

int annot_pmu_init(void)
{
	queue = alloc_workqueue("annot", WQ_UNBOUND | WQ_HIGHPRI, 1);
	if (!queue)
		return -ENOMEM;
	annot_pmu_cpus_init();
	hotplug_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "annot:online", come_online,
					  go_offline);
	if (hotplug_state < 0) {
		destroy_workqueue(queue);
		return hotplug_state;
	}
	spin_lock_irq(&queue_lock);
	closed = false;
	spin_unlock_irq(&queue_lock);
	return 0;
}

/* There is no set any more: it would hold its file open, and that this module. */
void annot_pmu_exit(void)
{
	spin_lock_irq(&queue_lock);
	closed = true;
	spin_unlock_irq(&queue_lock);
	cpuhp_remove_state(hotplug_state);
	destroy_workqueue(queue);
	annot_pmu_cpus_exit();
}
