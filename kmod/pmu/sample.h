/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Samples, taken in a counter's overflow interrupt.
 */
#ifndef ANNOT_KMOD_PMU_SAMPLE_H
#define ANNOT_KMOD_PMU_SAMPLE_H

#include <linux/perf_event.h>

/* The context of @perf is a struct annot_pmu_counter. Context: NMI on x86. */
void annot_pmu_sample_overflow(struct perf_event *perf, struct perf_sample_data *data,
			       struct pt_regs *regs);

#endif /* ANNOT_KMOD_PMU_SAMPLE_H */
