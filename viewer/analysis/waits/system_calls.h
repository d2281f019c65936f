/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system calls of the session's threads, by name: how many, how long, how much of that the thread was
 * off the CPU, and how many failed.
 *
 * A call whose begin or end is not in the trace counts with the time that is known of it: its length is a
 * lower bound. Calls that only the trace's end or the thread's cut are such calls.
 */
#ifndef ANNOT_SYSTEM_CALLS_H
#define ANNOT_SYSTEM_CALLS_H

#include "model/model.h"

struct system_call {
	uint32_t name; /* string id */
	uint64_t calls;
	uint64_t errors; /* that returned -4095 to -1 */
	uint64_t cut; /* whose begin or end is missing */
	uint64_t total_ns;
	uint64_t on_cpu_ns;
	uint64_t blocked_ns; /* asleep, in I/O, or stopped, of all calls */
	uint64_t waiting_ns; /* preempted or woken, and not on a CPU */
	uint64_t median_ns;
	uint64_t max_ns;
	uint32_t thread; /* of the longest one, and its time */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

struct system_calls {
	size_t nr; /* those with the longest total time first */
	struct system_call *calls;
};

/* Never fails. system_calls_free() frees what is in it. Cost: linear in calls and states. */
struct system_calls system_calls_compute(const struct model *model);
void system_calls_free(struct system_calls *system_calls);

#endif /* ANNOT_SYSTEM_CALLS_H */
