// SPDX-License-Identifier: GPL-2.0
/*
 * The module's probes on the tracepoints of the scheduler.
 *
 * While batches are recorded, the ring of a task is drained at each switch, when the task leaves
 * its CPU, before ftrace's own event of the switch. While slices are counted, the counts are read
 * there, and while annot_blocked is recorded, a thread that falls asleep is looked at. Otherwise
 * there is no probe on the switch, and it costs what it costs without the module. While
 * annot_waking is recorded, so is a thread that wakes up another one.
 * The probes on the end of a thread, on fork() and on exec() are there from load to unload.
 */
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "blocked/blocked.h"
#include "blocked/waking.h"
#include "client.h"
#include "compat.h"
#include "ftrace/config.h"
#include "drain.h"
#include "hooks.h"
#include "pmu/slice.h"
#include "ftrace/recording.h"
#include "stack/processes.h"

/* A higher one runs earlier; ftrace's own probe runs last. */
#define BLOCKED_PRIO (TRACEPOINT_DEFAULT_PRIO + 1)
#define COUNTING_PRIO (TRACEPOINT_DEFAULT_PRIO + 2)
#define DRAINING_PRIO (TRACEPOINT_DEFAULT_PRIO + 3)

/* A tracepoint of the scheduler. Modules may use it, but find it by name: it is not exported. */
struct hook {
	const char *name;
	void *probe;
	int prio;
	bool is_optional; /* not all kernels have it */
	struct tracepoint *tracepoint;
};

/*
 * Guards nr_holds, is_hooked, is_looking, is_looking_at_wakers and is_closed. Taken with the event
 * mutex held. The mutex of the tracepoints is taken under it.
 */
static DEFINE_MUTEX(hooks_lock);
static unsigned int nr_holds;
static bool is_hooked;
static bool is_looking; /* at threads that fall asleep */
static bool is_looking_at_wakers;

static void hooks_update(struct work_struct *work);
static DECLARE_WORK(update_work, hooks_update);
static DEFINE_SPINLOCK(update_lock); /* guards is_closed and queueing the work */
static bool is_closed = true; /* outside init..exit */

/* Interrupts are off and the run queue is locked; @prev is still the current task. */
static void on_switch(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		      unsigned int prev_state)
{
	annot_drain_outgoing(prev);
}

/* After the rings are drained: draining counts as the outgoing thread's own cost. */
static void on_counted_switch(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	annot_pmu_slice_end();
}

/* Just before ftrace's own event of the switch. */
static void on_sleep(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		     unsigned int prev_state)
{
	if (!preempt)
		annot_blocked_note(prev, prev_state);
}

/* Just before ftrace's own event of it. @wakee is locked, and interrupts are off. */
static void on_waking(void *data, struct task_struct *wakee)
{
	annot_waking_note(wakee);
}

/*
 * The thread will not run user code again. It may be the only command of a recording, and shorter
 * than the time between two tries to emit annot_config.
 */
static void on_exit(ANNOT_EXIT_PROBE_ARGS)
{
	if (READ_ONCE(annot_config_due))
		annot_config_emit_due();
	annot_drain_own();
	annot_drain_emit_lost();
	annot_drain_end_client();
	if (!atomic_read(&current->signal->live))
		annot_stack_processes_forget_own();
}

/* The task still is the program that calls exec(): see exec.c. */
static void on_prepare_exec(void *data, struct task_struct *task, struct linux_binprm *bprm)
{
	annot_drain_own();
	annot_drain_emit_lost();
}

/*
 * The memory of the former program is gone, and its rings with it, unless another process shares
 * that memory. That process must not write records for this program. This task's own records were
 * drained before.
 */
static void on_exec(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	annot_drain_give_up();
	annot_client_forget(task->signal);
	annot_stack_processes_forget_own();
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	annot_stack_processes_inherit(parent, child);
}

/*
 * The end of a process whose rings another process kept mapped. A former leader, after exec() by
 * another thread, is not the end of its process.
 */
static void on_free(void *data, struct task_struct *task)
{
	if (thread_group_leader(task))
		annot_client_forget(task->signal);
}

static struct hook recording_hooks[] = {
	{ .name = "sched_switch", .probe = on_switch, .prio = DRAINING_PRIO },
};

static struct hook counting_hooks[] = {
	{ .name = "sched_switch", .probe = on_counted_switch, .prio = COUNTING_PRIO },
};

static struct hook blocked_hooks[] = {
	{ .name = "sched_switch", .probe = on_sleep, .prio = BLOCKED_PRIO },
};

static struct hook waking_hooks[] = {
	{ .name = "sched_waking", .probe = on_waking, .prio = BLOCKED_PRIO },
};

static struct hook lasting_hooks[] = {
	{ .name = "sched_prepare_exec",
	  .probe = on_prepare_exec,
	  .prio = DRAINING_PRIO,
	  .is_optional = true },
	{ .name = "sched_process_exit", .probe = on_exit, .prio = DRAINING_PRIO },
	{ .name = "sched_process_exec", .probe = on_exec, .prio = DRAINING_PRIO },
	{ .name = "sched_process_fork", .probe = on_fork, .prio = DRAINING_PRIO },
	{ .name = "sched_process_free", .probe = on_free, .prio = DRAINING_PRIO },
};

static void hooks_match(struct hook *hooks, unsigned int nr, struct tracepoint *tracepoint)
{
	for (; nr--; hooks++) {
		if (!strcmp(tracepoint->name, hooks->name))
			hooks->tracepoint = tracepoint;
	}
}

static void hooks_match_all(struct tracepoint *tracepoint, void *unused)
{
	hooks_match(recording_hooks, ARRAY_SIZE(recording_hooks), tracepoint);
	hooks_match(counting_hooks, ARRAY_SIZE(counting_hooks), tracepoint);
	hooks_match(blocked_hooks, ARRAY_SIZE(blocked_hooks), tracepoint);
	hooks_match(waking_hooks, ARRAY_SIZE(waking_hooks), tracepoint);
	hooks_match(lasting_hooks, ARRAY_SIZE(lasting_hooks), tracepoint);
}

static void hooks_remove(struct hook *hooks, unsigned int nr)
{
	while (nr--) {
		if (hooks[nr].tracepoint)
			tracepoint_probe_unregister(hooks[nr].tracepoint, hooks[nr].probe, NULL);
	}
}

static int hooks_add(struct hook *hooks, unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; i < nr; i++) {
		err = hooks[i].is_optional ? 0 : -ENOENT;
		if (hooks[i].tracepoint)
			err = tracepoint_probe_register_prio(hooks[i].tracepoint, hooks[i].probe,
							     NULL, hooks[i].prio);
		if (err) {
			hooks_remove(hooks, i);
			return err;
		}
	}
	return 0;
}

static int hooks_on(void)
{
	int err;

	if (is_hooked)
		return 0;
	err = hooks_add(recording_hooks, ARRAY_SIZE(recording_hooks));
	if (err)
		return err;
	is_hooked = true;
	return 0;
}

static void hooks_off(void)
{
	if (!is_hooked)
		return;
	hooks_remove(recording_hooks, ARRAY_SIZE(recording_hooks));
	is_hooked = false;
}

static void hooks_update(struct work_struct *work)
{
	mutex_lock(&hooks_lock);
	if (annot_recording_has_batches())
		hooks_on();
	else if (!nr_holds)
		hooks_off();
	mutex_unlock(&hooks_lock);
}

/* Recording may have begun or ended. Does not sleep; a work item does the rest. */
static void hooks_schedule_update(void)
{
	spin_lock(&update_lock);
	if (!is_closed)
		schedule_work(&update_work);
	spin_unlock(&update_lock);
}

int annot_hooks_hold(void)
{
	int err = 0;

	mutex_lock(&hooks_lock);
	if (!READ_ONCE(is_closed))
		err = hooks_on();
	if (!err)
		nr_holds++;
	mutex_unlock(&hooks_lock);
	return err;
}

void annot_hooks_release(void)
{
	mutex_lock(&hooks_lock);
	nr_holds--;
	mutex_unlock(&hooks_lock);
	hooks_schedule_update();
}

int annot_hooks_begin_counting(void)
{
	return hooks_add(counting_hooks, ARRAY_SIZE(counting_hooks));
}

void annot_hooks_end_counting(void)
{
	hooks_remove(counting_hooks, ARRAY_SIZE(counting_hooks));
}

/* @is_there: whether the hooks are */
static int hooks_begin(struct hook *hooks, unsigned int nr, bool *is_there)
{
	int err = 0;

	mutex_lock(&hooks_lock);
	if (!READ_ONCE(is_closed) && !*is_there) {
		err = hooks_add(hooks, nr);
		*is_there = !err;
	}
	mutex_unlock(&hooks_lock);
	return err;
}

/* Under hooks_lock. */
static void hooks_drop(struct hook *hooks, unsigned int nr, bool *is_there)
{
	if (*is_there)
		hooks_remove(hooks, nr);
	*is_there = false;
}

static void hooks_end(struct hook *hooks, unsigned int nr, bool *is_there)
{
	mutex_lock(&hooks_lock);
	hooks_drop(hooks, nr, is_there);
	mutex_unlock(&hooks_lock);
}

int annot_hooks_begin_blocked(void)
{
	return hooks_begin(blocked_hooks, ARRAY_SIZE(blocked_hooks), &is_looking);
}

void annot_hooks_end_blocked(void)
{
	hooks_end(blocked_hooks, ARRAY_SIZE(blocked_hooks), &is_looking);
}

int annot_hooks_begin_wakings(void)
{
	return hooks_begin(waking_hooks, ARRAY_SIZE(waking_hooks), &is_looking_at_wakers);
}

void annot_hooks_end_wakings(void)
{
	hooks_end(waking_hooks, ARRAY_SIZE(waking_hooks), &is_looking_at_wakers);
}

bool annot_hooks_hear_of_exec(void)
{
	return lasting_hooks[0].tracepoint;
}

int annot_hooks_init(void)
{
	int err;

	for_each_kernel_tracepoint(hooks_match_all, NULL);
	err = hooks_add(lasting_hooks, ARRAY_SIZE(lasting_hooks));
	if (err) {
		/* Probes may still be running, and their code goes with the module. */
		tracepoint_synchronize_unregister();
		return err;
	}
	spin_lock(&update_lock);
	is_closed = false;
	spin_unlock(&update_lock);
	annot_recording_set_listener(hooks_schedule_update);
	return 0;
}

void annot_hooks_exit(void)
{
	annot_recording_set_listener(NULL);
	spin_lock(&update_lock);
	is_closed = true;
	spin_unlock(&update_lock);
	cancel_work_sync(&update_work);

	mutex_lock(&hooks_lock);
	hooks_off();
	hooks_drop(blocked_hooks, ARRAY_SIZE(blocked_hooks), &is_looking);
	hooks_drop(waking_hooks, ARRAY_SIZE(waking_hooks), &is_looking_at_wakers);
	mutex_unlock(&hooks_lock);
	hooks_remove(lasting_hooks, ARRAY_SIZE(lasting_hooks));
	tracepoint_synchronize_unregister();
}
