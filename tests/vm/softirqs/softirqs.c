// SPDX-License-Identifier: GPL-2.0
/*
 * While it is loaded, for @ms, it keeps the CPU busy on which that is done: a tasklet takes @busy_us,
 * and comes again after @pause_us, or, if that is 0, at once. Then spent_ns is the time that they
 * took, and nr how many there were.
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/version.h>

static uint ms = 200;
module_param(ms, uint, 0444);
static uint busy_us = 200;
module_param(busy_us, uint, 0444);
static uint pause_us;
module_param(pause_us, uint, 0444);
static ulong spent_ns;
module_param(spent_ns, ulong, 0444);
static ulong nr;
module_param(nr, ulong, 0444);

static void run(struct tasklet_struct *tasklet);
static DECLARE_TASKLET(storm, run);
static DECLARE_COMPLETION(done);
static struct hrtimer timer;
static u64 end_ns;

static enum hrtimer_restart expire(struct hrtimer *expired)
{
	tasklet_schedule(&storm);
	return HRTIMER_NORESTART;
}

static void run(struct tasklet_struct *tasklet)
{
	u64 begin_ns = local_clock();

	while (local_clock() - begin_ns < (u64)busy_us * NSEC_PER_USEC)
		cpu_relax();
	spent_ns += local_clock() - begin_ns;
	nr++;
	if (local_clock() >= end_ns)
		complete(&done);
	else if (pause_us)
		hrtimer_start(&timer, ns_to_ktime((u64)pause_us * NSEC_PER_USEC),
			      HRTIMER_MODE_REL_PINNED_HARD);
	else
		tasklet_schedule(tasklet);
}

static int __init softirqs_init(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = expire;
#else
	hrtimer_setup(&timer, expire, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#endif
	end_ns = local_clock() + (u64)ms * NSEC_PER_MSEC;
	tasklet_schedule(&storm);
	wait_for_completion(&done);
	return 0;
}

static void __exit softirqs_exit(void)
{
	hrtimer_cancel(&timer);
	tasklet_kill(&storm);
}

module_init(softirqs_init);
module_exit(softirqs_exit);
MODULE_DESCRIPTION("Softirqs that take as long as they are told to, for tests");
MODULE_LICENSE("GPL");
