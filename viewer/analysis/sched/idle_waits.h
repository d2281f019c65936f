/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that waited in the queue of a busy CPU while another CPU was idle. A work-conserving scheduler
 * would not let this happen (Lozi and others: The Linux Scheduler: a Decade of Wasted Cores, EuroSys 2016).
 *
 * The trace does not have the affinity of threads: only CPUs on which the thread ran at some time count. For
 * each wait, the CPU that was idle longest counts, minus the time that the CPU of the queue was idle. A wait
 * does not count if events of either CPU were lost meanwhile. So the figures are lower bounds.
 */
#ifndef ANNOT_IDLE_WAITS_H
#define ANNOT_IDLE_WAITS_H

#include "analysis/base/findings.h"

struct idle_waits_thread {
	uint32_t thread;
	uint64_t waits; /* in which another CPU was idle */
	uint64_t ns; /* the time for which it was idle in these */
	uint64_t longest_ns; /* of one wait; its time, its CPU, and the idle CPU */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
	int longest_cpu;
	int longest_idle_cpu;
};

struct idle_waits {
	size_t nr; /* threads of the session with such waits, the longest first */
	struct idle_waits_thread *threads;
};

/*
 * Never fails. idle_waits_free() frees what is in it. Cost: for each wait, two searches in the slices of
 * each CPU that the thread ran on, near to those of its wait before.
 */
struct idle_waits idle_waits_compute(const struct model *model);
void idle_waits_free(struct idle_waits *idle_waits);

/*
 * Adds one finding: of the thread that waited in this way longest, if it did so IDLE_WAITS_LEAST_TIMES
 * times, and for IDLE_WAITS_LEAST_SHARE of the session.
 */
#define IDLE_WAITS_LEAST_TIMES 10
#define IDLE_WAITS_LEAST_SHARE 0.05
void idle_waits_add_findings(const struct model *model, const struct idle_waits *idle_waits,
			     struct findings *findings);

#endif /* ANNOT_IDLE_WAITS_H */
