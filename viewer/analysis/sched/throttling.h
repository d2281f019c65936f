/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that could run while their own CPU was idle: their cgroup has a quota of CPU time (cpu.max), and it is used up until the
 * period ends. The kernel has no event for that, but a CPU with a thread in its queue does not become idle otherwise:
 *
 * - A thread that is switched out, and could still run, is throttled if its CPU is idle for THROTTLING_LEAST_NS or more: at once,
 *   or before the thread runs again there.
 * - Where it waits for such a CPU in another way, it is throttled if another thread of its process is so at the same time: it may
 *   have been woken, or moved there.
 *
 * Only the time counts in which the CPU was idle. If others used it, a throttled thread cannot be told from one that is preempted:
 * figures are lower bounds. Threads of real-time priority have a limit of their own and do not count.
 */
#ifndef ANNOT_THROTTLING_H
#define ANNOT_THROTTLING_H

#include "analysis/base/findings.h"

#define THROTTLING_LEAST_NS 1000000u

struct throttling_thread {
	uint32_t thread;
	uint64_t times;
	uint64_t ns; /* its CPU was idle in these */
	uint64_t longest_ns; /* of one of them; its time and its CPU */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
	int longest_cpu;
};

struct throttling {
	size_t nr; /* threads of the session that were throttled, the longest first */
	struct throttling_thread *threads;
	uint64_t ns; /* in which any was */
	uint64_t standstill_ns; /* of that, in which no thread of the session ran */
};

/* Never fails. throttling_free() frees what is in it. Cost: O(n log n) of n waits and slices. */
struct throttling throttling_compute(const struct model *model);
void throttling_free(struct throttling *throttling);

/*
 * Adds one finding, if threads of the session were throttled THROTTLING_LEAST_TIMES times or more. Lost is the time in which no
 * thread of the session ran, at most that in which any was throttled.
 */
#define THROTTLING_LEAST_TIMES 2
void throttling_add_findings(const struct model *model, const struct throttling *throttling,
			     struct findings *findings);

#endif /* ANNOT_THROTTLING_H */
