/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Explains why the kernel does not measure an event, and what to do.
 */
#ifndef ANNOT_PMU_REFUSAL_H
#define ANNOT_PMU_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>

/* The facts that the explanation depends on. */
struct pmu_refusal_facts {
	bool has_pmu; /* the kernel drives one */
	bool nmi_watchdog; /* it runs, and uses a counter of each CPU */
	int paranoid; /* kernel.perf_event_paranoid */
};

/* Reads the facts of this machine. */
void pmu_refusal_read_facts(struct pmu_refusal_facts *facts);

/*
 * @error: the errno; @is_software: the event needs no PMU; @sampled: it should be sampled, not only
 * 	counted. @why (of @size bytes) gets one line without its end.
 */
void pmu_refusal_explain(const struct pmu_refusal_facts *facts, int error, bool is_software,
			 bool sampled, char *why, size_t size);

/* Tries to count cycles, which every PMU has. Returns 0, or an errno. */
int pmu_refusal_try_cycles(void);

/* Whether @error of perf_event_open() means that the kernel does not have the event. */
bool pmu_refusal_says_absent(int error);

/* Reasons and cures, shared with annot doctor. */
#define REFUSAL_NO_PMU_IS "the kernel has no PMU here (as in most virtual machines)"
#define REFUSAL_NO_PMU_CURE "page_faults works everywhere"
#define REFUSAL_NO_PMU REFUSAL_NO_PMU_IS "; " REFUSAL_NO_PMU_CURE
#define REFUSAL_DENIED "it needs root or CAP_PERFMON (perf_event_paranoid is %d)"
#define REFUSAL_FREE_WATCHDOG "sysctl kernel.nmi_watchdog=0"

#endif /* ANNOT_PMU_REFUSAL_H */
