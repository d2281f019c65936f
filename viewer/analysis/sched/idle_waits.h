/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that stood in the queue of a busy CPU while another one was idle: a scheduler that conserves
 * work would not let them (Lozi and others: The Linux Scheduler: a Decade of Wasted Cores, EuroSys
 * 2016).
 *
 * Which CPUs a thread may use, the trace does not tell: only those count on which it ran. Of each wait
 * that one counts that was idle longest, less what the CPU of the queue was idle as well; none, if
 * events of either were lost meanwhile. So these are lower bounds.
 */
#ifndef ANNOT_IDLE_WAITS_H
#define ANNOT_IDLE_WAITS_H

#include "analysis/base/findings.h"

struct idle_waits_thread {
	uint32_t thread;
	uint64_t waits; /* in which another CPU was idle */
	uint64_t ns; /* of these, the time that it was */
	uint64_t longest_ns; /* of one wait; when that was, where, and which was idle */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
	int longest_cpu;
	int longest_idle_cpu;
};

struct idle_waits {
	size_t nr; /* threads of the session that waited so, the longest first */
	struct idle_waits_thread *threads;
};

/*
 * Never fails. idle_waits_free() frees what is in it. Cost: for each wait, two searches in the slices of
 * each CPU that the thread ran on, near to those of its wait before.
 */
struct idle_waits idle_waits_compute(const struct model *model);
void idle_waits_free(struct idle_waits *idle_waits);

/*
 * One for all: of the threads that waited so IDLE_WAITS_LEAST_TIMES, that which did so longest, if it
 * is IDLE_WAITS_LEAST_SHARE of the session.
 */
#define IDLE_WAITS_LEAST_TIMES 10
#define IDLE_WAITS_LEAST_SHARE 0.05
void idle_waits_add_findings(const struct model *model, const struct idle_waits *idle_waits,
			     struct findings *findings);

#endif /* ANNOT_IDLE_WAITS_H */
