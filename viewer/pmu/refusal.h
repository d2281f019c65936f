/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why the kernel does not measure an event, in words that tell what to do.
 */
#ifndef ANNOT_PMU_REFUSAL_H
#define ANNOT_PMU_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>

/* What the words depend on. */
struct pmu_refusal_facts {
	bool has_pmu; /* the kernel drives one */
	bool nmi_watchdog; /* it runs, and has a counter of each CPU */
	int paranoid; /* kernel.perf_event_paranoid */
};

/* Of this machine. */
void pmu_refusal_read_facts(struct pmu_refusal_facts *facts);

/*
 * @error: the errno; @is_software: the event needs no PMU; @sampled: it was to be sampled, not only
 * counted. One line without an end in @why (of @size bytes).
 */
void pmu_refusal_explain(const struct pmu_refusal_facts *facts, int error, bool is_software,
			 bool sampled, char *why, size_t size);

/* Asks for what every PMU has: 0, or the errno. */
int pmu_refusal_try_cycles(void);

/* Does @error of perf_event_open() say that the kernel does not have the event? */
bool pmu_refusal_says_absent(int error);

/* What is lacking, and what cures it, as annot doctor has them, too. */
#define REFUSAL_NO_PMU_IS "the kernel has no PMU here (as in most virtual machines)"
#define REFUSAL_NO_PMU_CURE "page_faults works everywhere"
#define REFUSAL_NO_PMU REFUSAL_NO_PMU_IS "; " REFUSAL_NO_PMU_CURE
#define REFUSAL_DENIED "it needs root or CAP_PERFMON (perf_event_paranoid is %d)"
#define REFUSAL_FREE_WATCHDOG "sysctl kernel.nmi_watchdog=0"

#endif /* ANNOT_PMU_REFUSAL_H */
