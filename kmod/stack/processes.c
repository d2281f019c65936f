// SPDX-License-Identifier: GPL-2.0
/*
 * A process is known by its number and its memory. exec() makes another memory, and with that what
 * was known is void, also where it is not removed yet.
 *
 * The probe of fork() may not allocate, so the entries come from a pool. RCU gives them back to it.
 */
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "stack/processes.h"
#include "stack/ranges.h"

#define HASH_BITS 8
#define PROCESSES_MAX 4096

/* @node: among those with ranges, or in the pool. @mm: compared, and never followed */
struct stack_process {
	struct hlist_node node;
	struct rcu_head rcu;
	s32 tgid;
	const struct mm_struct *mm;
	struct annot_stack_ranges *ranges;
};

/* All of these are written under processes_lock; processes is read under RCU. */
static struct hlist_head processes[1 << HASH_BITS];
static HLIST_HEAD(pool);
static bool is_open; /* between begin and end */
static DEFINE_RAW_SPINLOCK(processes_lock);

static struct stack_process *pool_memory;

static struct hlist_head *process_bucket(s32 tgid)
{
	return &processes[hash_32(tgid, HASH_BITS)];
}

/* Callers have preemption off; RCU waits for that. */
static struct stack_process *process_find(s32 tgid)
{
	struct stack_process *process;

	hlist_for_each_entry_rcu(process, process_bucket(tgid), node, true) {
		if (process->tgid == tgid)
			return process;
	}
	return NULL;
}

static void process_recycle(struct rcu_head *rcu)
{
	struct stack_process *process = container_of(rcu, struct stack_process, rcu);
	unsigned long flags;

	raw_spin_lock_irqsave(&processes_lock, flags);
	hlist_add_head(&process->node, &pool);
	raw_spin_unlock_irqrestore(&processes_lock, flags);
}

/* Under processes_lock. */
static void process_remove(s32 tgid)
{
	struct stack_process *process = process_find(tgid);

	if (!process)
		return;
	hlist_del_rcu(&process->node);
	annot_stack_ranges_put(process->ranges);
	call_rcu(&process->rcu, process_recycle);
}

/* In place of what is known of it. Takes a reference. Under processes_lock. */
static int process_add(const struct task_struct *task, const struct mm_struct *mm,
		       struct annot_stack_ranges *ranges)
{
	struct stack_process *process = hlist_entry_safe(pool.first, struct stack_process, node);

	if (!process)
		return -ENOSPC;
	annot_stack_ranges_get(ranges);
	process_remove(task->tgid);
	hlist_del(&process->node);
	process->tgid = task->tgid;
	process->mm = mm;
	process->ranges = ranges;
	hlist_add_head_rcu(&process->node, process_bucket(task->tgid));
	return 0;
}

static struct task_struct *process_leader(s32 tgid)
{
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_vpid(tgid), PIDTYPE_TGID);
	if (task)
		get_task_struct(task);
	rcu_read_unlock();
	return task;
}

/* Under processes_lock. */
static int process_set(struct task_struct *task, struct annot_stack_ranges *ranges)
{
	const struct mm_struct *mm = READ_ONCE(task->mm);

	if (!ranges) {
		process_remove(task->tgid);
		return 0;
	}
	/* The last thread of a process marks it as dead, and then comes to remove what is here. */
	return mm && atomic_read(&task->signal->live) ? process_add(task, mm, ranges) : -ESRCH;
}

int annot_stack_processes_set(s32 tgid, struct annot_stack_ranges *ranges)
{
	struct task_struct *task = process_leader(tgid);
	unsigned long flags;
	int err = -ESRCH;

	if (task) {
		raw_spin_lock_irqsave(&processes_lock, flags);
		err = process_set(task, ranges);
		raw_spin_unlock_irqrestore(&processes_lock, flags);
		put_task_struct(task);
	}
	if (ranges)
		annot_stack_ranges_put(ranges);
	return err;
}

/* One that shares its parent's memory until it executes a program shares the ranges, too. */
void annot_stack_processes_inherit(struct task_struct *parent, struct task_struct *child)
{
	struct stack_process *from;
	unsigned long flags;

	if (!READ_ONCE(is_open) || parent->tgid == child->tgid || !child->mm)
		return;
	raw_spin_lock_irqsave(&processes_lock, flags);
	from = process_find(parent->tgid);
	if (is_open && from && from->mm == parent->mm)
		process_add(child, child->mm, from->ranges);
	raw_spin_unlock_irqrestore(&processes_lock, flags);
}

void annot_stack_processes_forget_own(void)
{
	unsigned long flags;

	if (!READ_ONCE(is_open))
		return;
	raw_spin_lock_irqsave(&processes_lock, flags);
	process_remove(current->tgid);
	raw_spin_unlock_irqrestore(&processes_lock, flags);
}

/* With preemption off, which RCU waits for. The task's memory may be gone: it is compared only. */
static const struct stack_process *process_of(const struct task_struct *task)
{
	const struct stack_process *process;

	if (!READ_ONCE(is_open))
		return NULL;
	process = process_find(task->tgid);
	return process && process->mm == READ_ONCE(task->mm) ? process : NULL;
}

bool annot_stack_processes_have(const struct task_struct *task)
{
	return process_of(task);
}

const struct annot_stack_ranges *annot_stack_processes_find_own(void)
{
	const struct stack_process *process = process_of(current);

	return process ? process->ranges : NULL;
}

int annot_stack_processes_begin(void)
{
	unsigned int i;

	pool_memory = kvcalloc(PROCESSES_MAX, sizeof(*pool_memory), GFP_KERNEL_ACCOUNT);
	if (!pool_memory)
		return -ENOMEM;
	for (i = 0; i < PROCESSES_MAX; i++)
		hlist_add_head(&pool_memory[i].node, &pool);
	WRITE_ONCE(is_open, true);
	return 0;
}

static void bucket_forget(struct hlist_head *bucket)
{
	struct stack_process *process;
	struct hlist_node *next;
	unsigned long flags;

	raw_spin_lock_irqsave(&processes_lock, flags);
	WRITE_ONCE(is_open, false);
	hlist_for_each_entry_safe(process, next, bucket, node)
		process_remove(process->tgid);
	raw_spin_unlock_irqrestore(&processes_lock, flags);
}

void annot_stack_processes_end(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(processes); i++)
		bucket_forget(&processes[i]);
	rcu_barrier();
	INIT_HLIST_HEAD(&pool);
	kvfree(pool_memory);
}
