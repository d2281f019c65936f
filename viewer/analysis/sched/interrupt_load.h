/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts, softirqs and tasklets: by CPU, how much of the time of the session's threads they took there; by CPU and name,
 * how many, how long, and how much of that. What is inside of another one counts for itself only.
 */
#ifndef ANNOT_INTERRUPT_LOAD_H
#define ANNOT_INTERRUPT_LOAD_H

#include "analysis/base/findings.h"

struct interrupt_load_cpu {
	int cpu;
	uint64_t session_ns; /* threads of the session were on it, interrupts included */
	uint64_t stolen_ns; /* of that, in interrupts */
	uint64_t interrupts; /* that took it, without those inside others */
	uint32_t
		worst_thread; /* of the session: from whom most was taken; MODEL_NO_THREAD: nothing was */
	uint64_t first_ns; /* the first of them begins ... */
	uint64_t last_ns; /* ... and the last one ends */
};

struct interrupt_load_source {
	int cpu;
	uint8_t kind; /* enum trace_interrupt_kind */
	uint32_t name; /* string id */
	uint64_t interrupts;
	uint64_t ns; /* without what was inside of them */
	uint64_t stolen_ns; /* of that, from threads of the session */
	uint64_t max_ns; /* the longest one, with what was inside, and its time */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

struct interrupt_load {
	size_t nr_cpus; /* on which something was interrupted */
	struct interrupt_load_cpu *cpus;
	size_t nr_sources; /* those that took most from the session first */
	struct interrupt_load_source *sources;
};

/* Never fails. interrupt_load_free() frees what is in it. Cost: linear in interrupts, but for sorting sources. */
struct interrupt_load interrupt_load_compute(const struct model *model);
void interrupt_load_free(struct interrupt_load *load);

/*
 * Adds one finding, if interrupts took INTERRUPT_LOAD_SHARE or more of the time that threads of the session had on a CPU: of
 * all such CPUs, with the one where they took most, and the source that took most there.
 */
#define INTERRUPT_LOAD_SHARE 0.05
void interrupt_load_add_findings(const struct model *model, const struct interrupt_load *load,
				 struct findings *findings);

#endif /* ANNOT_INTERRUPT_LOAD_H */
