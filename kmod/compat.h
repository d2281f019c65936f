/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the kernels that we build for differ.
 */
#ifndef ANNOT_COMPAT_H
#define ANNOT_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/version.h>
#include <linux/workqueue.h>

/* class->devnode() takes a const device since 6.2. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define annot_devnode_device struct device
#else
#define annot_devnode_device const struct device
#endif

/* vm_flags is written through helpers since 6.3. */
static inline void annot_vm_flags_clear(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	vma->vm_flags &= ~flags;
#else
	vm_flags_clear(vma, flags);
#endif
}

static inline void annot_vm_flags_set(struct vm_area_struct *vma, unsigned long flags)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
	vma->vm_flags |= flags;
#else
	vm_flags_set(vma, flags);
#endif
}

/* Has another name since 7.1. */
static inline void annot_zap_ptes(struct vm_area_struct *vma)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)
	zap_vma_ptes(vma, vma->vm_start, vma->vm_end - vma->vm_start);
#else
	zap_special_vma_range(vma, vma->vm_start, vma->vm_end - vma->vm_start);
#endif
}

/* A timer is set up in one step since 6.13; in two only until 6.14. */
static inline void annot_hrtimer_setup(struct hrtimer *timer,
				       enum hrtimer_restart (*function)(struct hrtimer *),
				       enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = function;
#else
	hrtimer_setup(timer, function, CLOCK_MONOTONIC, mode);
#endif
}

/* Whether a queue's work runs where it was queued must be said since 6.17. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define ANNOT_WQ_PERCPU 0
#else
#define ANNOT_WQ_PERCPU WQ_PERCPU
#endif

/* Threads that the kernel makes of a program's for itself, but io_uring's; since 6.4. */
#ifdef PF_USER_WORKER
#define ANNOT_PF_USER_WORKER PF_USER_WORKER
#else
#define ANNOT_PF_USER_WORKER 0
#endif

/* The probe of sched_process_exit is told whether the thread is the last of its process. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define ANNOT_EXIT_PROBE_ARGS void *data, struct task_struct *task
#else
#define ANNOT_EXIT_PROBE_ARGS void *data, struct task_struct *task, bool is_last
#endif

/* Exported since 6.12, with an argument in some versions of that, too. */
#ifdef CONFIG_PERF_EVENTS
static inline int annot_perf_allow_kernel(struct perf_event_attr *attr)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
	return 0;
#else
	void *allow = perf_allow_kernel;

	return __builtin_choose_expr(__same_type(perf_allow_kernel, int(void)),
				     ((int (*)(void))allow)(),
				     ((int (*)(struct perf_event_attr *))allow)(attr));
#endif
}
#endif

#endif /* ANNOT_COMPAT_H */
