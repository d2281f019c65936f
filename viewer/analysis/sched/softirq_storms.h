/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Storms of softirqs: times of a CPU in which softirqs follow each other with pauses of at most SOFTIRQ_STORM_PAUSE_NS, which last
 * SOFTIRQ_STORM_LEAST_NS or more, and of which they take SOFTIRQ_STORM_SHARE or more. Interrupts inside of softirqs are a part of
 * them.
 *
 * A storm costs threads of the session the time in which its softirqs interrupt them, and in which they wait in the queue of the
 * CPU while softirqs run there, mostly in ksoftirqd.
 */
#ifndef ANNOT_SOFTIRQ_STORMS_H
#define ANNOT_SOFTIRQ_STORMS_H

#include "analysis/base/findings.h"

#define SOFTIRQ_STORM_PAUSE_NS 50000u
#define SOFTIRQ_STORM_LEAST_NS 1000000u
#define SOFTIRQ_STORM_SHARE 0.5

struct softirq_storms_cpu {
	int cpu;
	uint64_t storms;
	uint64_t softirqs; /* in them */
	uint64_t ns; /* of these */
	uint32_t worst_name; /* of the kind that took most of that: string id */
	uint64_t worst_name_ns;
	uint64_t stolen_ns; /* from threads of the session */
	uint64_t waited_ns; /* by threads of the session, taken together */
	uint32_t worst_thread; /* which lost most by both; MODEL_NO_THREAD: none did */
	uint64_t longest_ns; /* the longest storm, with its pauses; its time */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

struct softirq_storms {
	bool has_softirqs; /* the trace has any */
	size_t nr; /* CPUs with storms, those that cost the session most first */
	struct softirq_storms_cpu *cpus;
	uint64_t lost_ns; /* in which any thread of the session was interrupted or waited so */
};

/* Never fails. softirq_storms_free() frees what is in it. Cost: O(n log n) of n interrupts and waits. */
struct softirq_storms softirq_storms_compute(const struct model *model);
void softirq_storms_free(struct softirq_storms *storms);

/* Adds one finding, if storms cost threads of the session anything: of the CPU where they cost most. At most lost_ns are lost. */
void softirq_storms_add_findings(const struct model *model, const struct softirq_storms *storms,
				 struct findings *findings);

#endif /* ANNOT_SOFTIRQ_STORMS_H */
