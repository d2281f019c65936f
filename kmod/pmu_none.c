// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel without CONFIG_PERF_EVENTS: nothing can be measured, and user space is told so.
 */
#include <linux/errno.h>

#include "annot.h"

void annot_pmu_begin_mode(u8 mode)
{
}

void annot_pmu_end_mode(u8 mode)
{
}

void annot_slice_end(void)
{
}

void annot_slice_cut(u8 until)
{
}

void annot_slice_take(struct annot_counts *counts)
{
	counts->nr = 0;
	counts->invalid = 0;
}

unsigned int annot_pmu_counters(void)
{
	return 0;
}

u64 annot_pmu_throttled_ns(void)
{
	return 0;
}

long annot_events_set(struct file *file, const void __user *argument)
{
	return -EOPNOTSUPP;
}

void annot_events_release(struct file *file)
{
}

int annot_pmu_init(void)
{
	return 0;
}

void annot_pmu_exit(void)
{
}
