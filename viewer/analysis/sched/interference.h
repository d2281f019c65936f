/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which threads took the CPU from which, how often and for how long; what this cost the program; and how long
 * threads waited in the queue of each CPU.
 *
 * While a thread of the session is preempted or runnable, its time is booked to the thread that runs meanwhile
 * on the CPU in whose queue it is. A thread that is switched in as another one is preempted took the CPU from
 * it.
 */
#ifndef ANNOT_INTERFERENCE_H
#define ANNOT_INTERFERENCE_H

#include "analysis/sched/delays.h"
#include "analysis/stats/histogram.h"

struct interference_pair {
	uint32_t victim; /* threads */
	uint32_t by;
	uint64_t times; /* it took the CPU */
	uint64_t preempted_ns; /* it ran while the victim was preempted ... */
	uint64_t queued_ns; /* ... and while the victim was woken and not switched in */
	uint64_t longest_ns; /* of either, at once */
};

struct interference_programs {
	uint32_t victim; /* programs */
	uint32_t by; /* PROGRAM_NOBODY: the CPU was idle, or the thread on it is unknown */
	uint64_t times;
	uint64_t preempted_ns;
	uint64_t queued_ns;
	uint64_t lengthened_waits_ns; /* of all threads' wait spans, see delays.h */
	uint64_t lost_ns; /* elapsed time of the victim; no moment is counted twice */
	uint64_t nr_late; /* meetings that were later */
	uint64_t worst_ns; /* the most by which one was later; its time, and the last thread */
	uint64_t worst_from_ns;
	uint64_t worst_to_ns;
	uint32_t worst_thread;
	uint64_t until_ns; /* where the last was */
};

struct cpu_queue {
	uint64_t waits;
	uint64_t wait_ns;
	uint64_t longest_ns;
	struct histogram histogram;
};

struct interference {
	struct programs programs;
	size_t nr_pairs; /* the longest first */
	struct interference_pair *pairs;
	size_t nr_rows; /* the longest first; by may be the victim itself, or PROGRAM_NOBODY */
	struct interference_programs *rows;
	int nr_queues; /* a row for each CPU */
	struct cpu_queue *queues;
};

/* Never fails. interference_free() frees it. Cost: O(n log n) over states, slices and spans. */
struct interference *interference_compute(const struct model *model);
void interference_free(struct interference *interference);

/* Whether another program caused the row. */
bool interference_is_by_others(const struct interference_programs *row);

#endif /* ANNOT_INTERFERENCE_H */
