/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a plan (replay_plan.h) on CPUs, by a model of the kernel's scheduler:
 *
 * - Each CPU has a queue. A thread that wakes up goes to the CPU where it ran last if that is idle, else to an idle one, else
 *   into the queue of the one where it ran last. A CPU that becomes idle takes a thread from the longest queue.
 * - Threads of one queue have equal shares: the one with the least time on CPUs comes next, after a time slice at most. A thread
 *   that wakes up is half a slice behind the others at most. It preempts one that is ahead of it by more than a third of a slice.
 * - When a slice ends and another CPU has two threads less, one moves there.
 * - Threads of real time come before all others, and leave their CPU for nobody but those not of the session.
 * - Where a thread may run tells enum replay_placement.
 * - A thread that is switched in on a CPU that was idle takes latency_ns before it works.
 * - Who is not of the session takes its CPU at once.
 *
 * The model has no nice values, no groups, no caches: work takes as long on any CPU, and after any switch.
 *
 * Cost: O(log n) of n threads for each step of the plan, and O(CPUs) for each wakeup.
 */
#ifndef ANNOT_REPLAY_H
#define ANNOT_REPLAY_H

#include "analysis/replay/replay_plan.h"

enum replay_placement {
	PLACE_ANYWHERE, /* on CPUs on which any thread of the session ran */
	PLACE_BY_PROGRAM, /* on which any thread of its program ran */
	PLACE_BY_THREAD, /* on which it ran itself */
	PLACE_AS_RECORDED, /* all its work where it was, as if it had bound itself there; with fewer CPUs, as above */
	NR_REPLAY_PLACEMENTS,
};

struct replay_settings {
	int nr_cpus; /* 0: those of the recording */
	bool is_pinned; /* each thread stays on the CPU on which it ran longest */
	enum replay_placement placement;
	uint64_t slice_ns; /* not 0 */
	uint64_t latency_ns;
	bool skips_unknown; /* waits for nobody knows whom take no time; else, as long as they did */
	const double *factors; /* by place: of the time of work there; NULL: 1 */
};

struct replay_result {
	/* From the session's begin until the last of its threads has done its work. */
	uint64_t length_ns;
	size_t nr_stuck; /* threads that wait for somebody who never came */
};

struct replay_result replay_run(const struct replay_plan *plan,
				const struct replay_settings *settings);

#endif /* ANNOT_REPLAY_H */
