/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The general registers, in perf's order. Both functions return 0 where the code for the
 * architecture is not written.
 */
#ifndef ANNOT_KMOD_PMU_REGS_H
#define ANNOT_KMOD_PMU_REGS_H

#include <linux/types.h>

struct pt_regs;

#if defined(CONFIG_X86_64)
#define ANNOT_PMU_REGS_MAX 24
#else
#define ANNOT_PMU_REGS_MAX 1
#endif

/* The registers that there are, as perf_event_attr.sample_regs_intr. */
u64 annot_pmu_regs_mask(void);

/* Return: number of values, at most ANNOT_PMU_REGS_MAX. Context: any, NMIs too. */
u32 annot_pmu_regs_copy(u64 *values, struct pt_regs *regs);

#endif /* ANNOT_KMOD_PMU_REGS_H */
