/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ANNOT_IOC_EVENTS of /dev/annot/ctl.
 */
#ifndef ANNOT_KMOD_PMU_IOCTL_H
#define ANNOT_KMOD_PMU_IOCTL_H

#include <linux/errno.h>
#include <linux/fs.h>

#ifdef CONFIG_PERF_EVENTS

/* @argument: a struct annot_events. Context: process. */
long annot_pmu_ioctl_events(struct file *file, const void __user *argument);

/* The file is closed: its set ends. */
void annot_pmu_ioctl_release(struct file *file);

#else

static inline long annot_pmu_ioctl_events(struct file *file, const void __user *argument)
{
	return -EOPNOTSUPP;
}

static inline void annot_pmu_ioctl_release(struct file *file)
{
}

#endif

#endif /* ANNOT_KMOD_PMU_IOCTL_H */
