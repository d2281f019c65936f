/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loops whose iterations the runtime hands out in chunks while they run, as schedule(dynamic) and
 * schedule(guided) of OpenMP: whether chunks are too small, so that handing them out costs more than it helps, or
 * too large, so that threads wait for the last of them.
 *
 * Attached programs tell in notes how many chunks a thread took in an instance of a loop (@chunks), and how long
 * it took to get them (@dispatch_ns: an estimate, from every 16th chunk).
 *
 * Spans of one name and process that overlap, of different threads, are an instance of the loop. Its tail is
 * the end of its last thread minus the average end of all: what perfectly small chunks would save.
 *
 * Cost: O(n log n) of n notes.
 */
#ifndef ANNOT_LOOP_SCHEDULE_H
#define ANNOT_LOOP_SCHEDULE_H

#include "analysis/base/findings.h"

struct loop_schedule_loop {
	uint32_t name; /* string id */
	uint64_t instances;
	uint64_t most_threads;
	uint64_t parts; /* spans: one a thread and instance */
	uint64_t chunks;
	uint64_t elapsed_ns; /* sum over the instances */
	uint64_t thread_ns; /* sum over the spans */
	bool has_dispatch;
	uint64_t dispatch_ns; /* of thread_ns */
	uint64_t most_dispatch_ns; /* sum over the instances of the most that a thread took */
	uint64_t tail_ns; /* sum over the instances */
	uint32_t worst_thread; /* the last one of the instance with the longest tail */
	uint64_t worst_from_ns;
	uint64_t worst_to_ns;
	uint64_t worst_tail_ns;
};

struct loop_schedule {
	size_t nr;
	struct loop_schedule_loop *loops; /* the longest first */
};

/* Never fails. loop_schedule_free() frees what is in it. */
struct loop_schedule loop_schedule_compute(const struct model *model);
void loop_schedule_free(struct loop_schedule *schedule);

/* How long a thread worked on a chunk, on average. */
double loop_schedule_chunk_ns(const struct loop_schedule_loop *loop);

/* Share of the threads' time in the loop, from 0 to 1. */
double loop_schedule_dispatch_share(const struct loop_schedule_loop *loop);

/*
 * Adds a finding for each loop
 * - whose threads spend at least LOOP_SCHEDULE_LEAST_SHARE of their time in it on getting chunks. Time lost is at
 *   most what the slowest thread of each instance takes for that, an estimate;
 * - or whose tail is at least that share of its elapsed time, and no longer than two chunks, of which a thread
 *   gets fewer than LOOP_SCHEDULE_FEW_CHUNKS. Time lost is at most the tail.
 */
#define LOOP_SCHEDULE_LEAST_SHARE 0.05
#define LOOP_SCHEDULE_FEW_CHUNKS 16
void loop_schedule_add_findings(const struct model *model, const struct loop_schedule *schedule,
				struct findings *findings);

#endif /* ANNOT_LOOP_SCHEDULE_H */
