/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs of which more threads were ready to run than they had CPUs, so that their threads took CPUs from each other.
 *
 * A thread is ready while it runs or could (running, preempted, runnable). The trace does not have the affinity of threads: a
 * program has the CPUs on which it ran for OVERSUBSCRIPTION_CPU_SHARE of its CPU time. If a CPU was busy for
 * OVERSUBSCRIPTION_BUSY_SHARE of the session, it counts, too: the scheduler may have kept the program from it for that. A
 * program is oversubscribed while more of its threads are ready than it has CPUs. Threads that wait where a thread of
 * another program runs are not counted as waiting: interference.h is about these.
 *
 * The CPUs are busy with the program's own work meanwhile, so nothing is lost by that alone: two threads that share a CPU are
 * done when one after the other would be. Time is lost where others wait for a thread that has no CPU. How much, the trace
 * does not tell; it is no more than the time in which any thread waited so, nor than the time for which threads were in
 * queues on the session's critical path (critical_path.h), to which spinning is added: a thread that spins may wait for one
 * in a queue, which the path cannot see.
 */
#ifndef ANNOT_OVERSUBSCRIPTION_H
#define ANNOT_OVERSUBSCRIPTION_H

#include "analysis/base/findings.h"
#include "analysis/base/programs.h"

#define OVERSUBSCRIPTION_CPU_SHARE 0.01
#define OVERSUBSCRIPTION_BUSY_SHARE 0.5

struct oversubscription_row {
	uint32_t program;
	uint64_t cpu_ns; /* of its threads in the session */
	int nr_cpus; /* that it has */
	size_t nr_threads; /* that ran */
	size_t most_ready; /* threads at once */
	uint64_t active_ns; /* elapsed, while at least one was ready ... */
	double ready_ns; /* ... and of all that were */
	uint64_t over_ns; /* elapsed, while it was oversubscribed */
	uint64_t waited_ns; /* then, all threads that waited where another one of the program ran */
	uint64_t contended_ns; /* then, elapsed, while at least one waited so */
	uint64_t longest_ns; /* the evidence: the longest stretch in which it was oversubscribed */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

struct oversubscription {
	struct programs programs;
	size_t nr; /* programs that were oversubscribed, the longest first */
	struct oversubscription_row *rows;
};

/* Never fails. oversubscription_free() frees what is in it. Cost: O(n log n) over states and slices. */
struct oversubscription oversubscription_compute(const struct model *model);
void oversubscription_free(struct oversubscription *over);

#endif /* ANNOT_OVERSUBSCRIPTION_H */
