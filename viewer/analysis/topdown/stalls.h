/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What events cost that keep the core from its work, by task: mispredicted branches, instruction fetches that missed L1, walks
 * through page tables.
 *
 * Lost is count * cycles of one, at the clock's rate that was counted, else at 3 GHz. An event of walks counts their cycles. A
 * mispredicted branch is taken as 17 cycles (Intel's cores of 2013 to 2023: 15 to 20; AMD's Zen: 18. Fog: The microarchitecture of
 * Intel, AMD and VIA CPUs), a fetch that finds its instructions in L2 as 14. A core that does other things meanwhile loses less: the
 * figures are upper bounds, but for fetches from beyond L2.
 */
#ifndef ANNOT_STALLS_H
#define ANNOT_STALLS_H

#include "analysis/tasks/task_stats.h"

enum stall {
	STALL_BRANCH,
	STALL_FETCH,
	STALL_WALK,
	NR_STALLS, /* none of them */
};

struct stall_row {
	size_t event;
	enum stall stall;
	uint32_t task; /* NO_TASK: all threads of the session */
	double count;
	double error; /* the truth is within it in 95 of 100 cases; INFINITY: nobody knows */
	double cycles_each;
	uint64_t on_cpu_ns; /* that the count is of */
	double share; /* of that time: lost; at most 1 */
	double low; /* its interval */
	double high;
};

struct stalls {
	bool is_clock_counted; /* else ghz is assumed */
	double ghz;
	size_t nr;
	struct stall_row
		*rows; /* by event: the session first, then tasks, those longest on a CPU first */
};

/* By a name such as branch_miss, BR_MISP_RETIRED:ALL_BRANCHES, FRONTEND_RETIRED:L1I_MISS, page_walk_cycles. */
enum stall stall_of_name(const char *name);

/* Whether one costs a constant that was assumed. */
bool stall_is_assumed(enum stall stall);

/* Never fails. No rows: no such event was measured. stalls_free() frees what is in it. */
struct stalls stalls_compute(const struct model *model, const struct task_stats *stats);
void stalls_free(struct stalls *stalls);

#endif /* ANNOT_STALLS_H */
