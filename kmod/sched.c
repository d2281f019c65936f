// SPDX-License-Identifier: GPL-2.0
/*
 * Where the scheduler tells us of tasks.
 *
 * While batches are recorded, the ring of a task is drained when it leaves a CPU: at each switch,
 * ahead of ftrace's own event of it. While slices are counted, their counts are read there. While
 * neither is asked for, a switch costs what it costs without this module. That a thread ends, or a
 * process executes another program, is heard from load to unload.
 */
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "annot.h"
#include "compat.h"
#include "ring.h"

/* The higher goes first, and ftrace's own probe last. */
#define COUNTING_PRIO (TRACEPOINT_DEFAULT_PRIO + 1)
#define DRAINING_PRIO (TRACEPOINT_DEFAULT_PRIO + 2)

/* A tracepoint of the scheduler: modules may use them, though they are not exported by name. */
struct hook {
	const char *name;
	void *probe;
	int prio;
	bool is_optional; /* not all kernels have it */
	struct tracepoint *tracepoint;
};

/*
 * Guards holds, hooked and closed. Taken with the event mutex held; the tracepoints' mutex is
 * taken under it.
 */
static DEFINE_MUTEX(hooks_lock);
static unsigned int holds;
static bool hooked;

static void update_hooks(struct work_struct *work);
static DECLARE_WORK(update_work, update_hooks);
static DEFINE_SPINLOCK(update_lock); /* guards closed and queueing the work */
static bool closed = true; /* outside init..exit */

/* Interrupts are off, and the run queue is locked; @prev is still the current task. */
static void on_switch(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		      unsigned int prev_state)
{
	annot_drain_outgoing(prev);
}

/* After the rings are drained: what that costs is the outgoing thread's, whose records they are. */
static void on_counted_switch(void *data, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	annot_slice_end();
}

/*
 * The thread will not run user code again. It may be the command that a recording is made of, the
 * last thing in it, and shorter than the time between two tries to get annot_config in.
 */
static void on_exit(ANNOT_EXIT_PROBE_ARGS)
{
	if (READ_ONCE(annot_config_due))
		annot_config_emit_due();
	annot_drain_own();
	annot_drain_tell_lost();
	annot_client_forget_ended();
}

/* The task still is the program that calls exec(): see exec.c. */
static void on_prepare_exec(void *data, struct task_struct *task, struct linux_binprm *bprm)
{
	annot_drain_own();
	annot_drain_tell_lost();
}

/*
 * The memory of the program before is gone, and its rings with it, unless another process shares
 * that memory: it is not to speak for this program. What this task had written there, it drained
 * before.
 */
static void on_exec(void *data, struct task_struct *task, pid_t old_pid, struct linux_binprm *bprm)
{
	annot_drain_give_up();
	annot_client_forget(task->signal);
}

/*
 * The last of a process whose rings another process kept mapped; a former leader (exec() by another
 * thread) is not.
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

static struct hook lasting_hooks[] = {
	{ .name = "sched_prepare_exec",
	  .probe = on_prepare_exec,
	  .prio = DRAINING_PRIO,
	  .is_optional = true },
	{ .name = "sched_process_exit", .probe = on_exit, .prio = DRAINING_PRIO },
	{ .name = "sched_process_exec", .probe = on_exec, .prio = DRAINING_PRIO },
	{ .name = "sched_process_free", .probe = on_free, .prio = DRAINING_PRIO },
};

static void match_hooks(struct hook *hooks, unsigned int nr, struct tracepoint *tracepoint)
{
	for (; nr--; hooks++) {
		if (!strcmp(tracepoint->name, hooks->name))
			hooks->tracepoint = tracepoint;
	}
}

static void match_tracepoint(struct tracepoint *tracepoint, void *unused)
{
	match_hooks(recording_hooks, ARRAY_SIZE(recording_hooks), tracepoint);
	match_hooks(counting_hooks, ARRAY_SIZE(counting_hooks), tracepoint);
	match_hooks(lasting_hooks, ARRAY_SIZE(lasting_hooks), tracepoint);
}

static void remove_hooks(struct hook *hooks, unsigned int nr)
{
	while (nr--) {
		if (hooks[nr].tracepoint)
			tracepoint_probe_unregister(hooks[nr].tracepoint, hooks[nr].probe, NULL);
	}
}

static int add_hooks(struct hook *hooks, unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; i < nr; i++) {
		err = hooks[i].is_optional ? 0 : -ENOENT;
		if (hooks[i].tracepoint)
			err = tracepoint_probe_register_prio(hooks[i].tracepoint, hooks[i].probe,
							     NULL, hooks[i].prio);
		if (err) {
			remove_hooks(hooks, i);
			return err;
		}
	}
	return 0;
}

static int hook_on(void)
{
	int err;

	if (hooked)
		return 0;
	err = add_hooks(recording_hooks, ARRAY_SIZE(recording_hooks));
	if (err)
		return err;
	hooked = true;
	return 0;
}

static void hook_off(void)
{
	if (!hooked)
		return;
	remove_hooks(recording_hooks, ARRAY_SIZE(recording_hooks));
	hooked = false;
}

static void update_hooks(struct work_struct *work)
{
	mutex_lock(&hooks_lock);
	if (annot_recording_has_batches())
		hook_on();
	else if (!holds)
		hook_off();
	mutex_unlock(&hooks_lock);
}

void annot_hooks_update(void)
{
	spin_lock(&update_lock);
	if (!closed)
		schedule_work(&update_work);
	spin_unlock(&update_lock);
}

int annot_hooks_hold(void)
{
	int err = 0;

	mutex_lock(&hooks_lock);
	if (!READ_ONCE(closed))
		err = hook_on();
	if (!err)
		holds++;
	mutex_unlock(&hooks_lock);
	return err;
}

void annot_hooks_release(void)
{
	mutex_lock(&hooks_lock);
	holds--;
	mutex_unlock(&hooks_lock);
	annot_hooks_update();
}

int annot_hooks_begin_counting(void)
{
	return add_hooks(counting_hooks, ARRAY_SIZE(counting_hooks));
}

void annot_hooks_end_counting(void)
{
	remove_hooks(counting_hooks, ARRAY_SIZE(counting_hooks));
}

bool annot_hooks_hear_of_exec(void)
{
	return lasting_hooks[0].tracepoint;
}

int annot_hooks_init(void)
{
	int err;

	for_each_kernel_tracepoint(match_tracepoint, NULL);
	err = add_hooks(lasting_hooks, ARRAY_SIZE(lasting_hooks));
	if (err) {
		/* Probes may still be running, which go with the module. */
		tracepoint_synchronize_unregister();
		return err;
	}
	spin_lock(&update_lock);
	closed = false;
	spin_unlock(&update_lock);
	return 0;
}

void annot_hooks_exit(void)
{
	spin_lock(&update_lock);
	closed = true;
	spin_unlock(&update_lock);
	cancel_work_sync(&update_work);

	mutex_lock(&hooks_lock);
	hook_off();
	mutex_unlock(&hooks_lock);
	remove_hooks(lasting_hooks, ARRAY_SIZE(lasting_hooks));
	tracepoint_synchronize_unregister();
}
