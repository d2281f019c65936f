/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parallel regions: what several threads do at once, until the last of them is done.
 *
 * Between barriers (barriers.h) a region is what the threads of a barrier do from the release of
 * the barrier before it until the last of them comes to it; before their first barrier, from where
 * they began what they do last before it. From one team's end to the next one's begin (SPAN_OF_TEAM) is no region: there
 * the team's threads have nothing to do, or one of them works alone. Elsewhere, instances of one task (top_spans.h) of a team
 * (team.h) that overlap, directly or through others, are a region, if they are of several
 * threads. A region is named by the task that takes most time in it; those of one name and kind are
 * a group.
 *
 * T is a region's length, P the number of its threads, u_i thread i's useful time: on a CPU, between
 * its begin and its end in the region, outside wait spans. So what the scheduler took is no work,
 * and threads that have been preempted are not thereby out of balance.
 *
 * - load balance = avg(u) / max(u); parallel efficiency = sum(u) / (P * T) (POP:
 *   co-design.pop-coe.eu/metrics; DLB's TALP).
 * - imbalance time = max(u) - avg(u); imbalance percentage = (max - avg) / max * P / (P - 1) * 100
 *   (DeRose, Homer, Johnson: Detecting Application Load Imbalance on High End Massively Parallel
 *   Systems, Euro-Par 2007). Of a group, sums of its regions stand for max and avg.
 * - A region is serial if only one thread is at work in it: no other is busy (not waiting) for more
 *   than a 20th of what that one is.
 * - saved = T - max(o + avg(u), sum(u) / C): how much earlier the region would end if all threads had
 *   the same useful time; o is the most that one thread takes for all else (preempted, woken,
 *   blocked, late) before its end, C the number of CPUs that the session ran on. Of a serial region:
 *   o is 0, for work that is distributed anew is distributed with what it waits for.
 * - In total, with sums over all regions, idle = T - u: serialisation efficiency =
 *   (PT - S) / PT, S the idle time in serial regions; load-balance efficiency = (PT - S - B) /
 *   (PT - S), B = sum over parallel regions of sum_j(idle_j - min(idle)); scheduling efficiency =
 *   (PT - S - B - M) / (PT - S - B), M = sum of P * min(idle); parallel efficiency is their product
 *   (TALP's OpenMP metrics, DLB user guide). TALP knows no scheduler: there, being preempted is idle.
 *
 * Cost: O(n log n) of n spans and states.
 */
#ifndef ANNOT_REGIONS_H
#define ANNOT_REGIONS_H

#include "analysis/regions/barriers.h"
#include "analysis/tasks/task_stats.h"
#include "analysis/regions/straggler.h"

#define NO_REGION SIZE_MAX

enum region_kind {
	REGION_PARALLEL,
	REGION_SERIAL,
};

/* A thread's part: from_ns to to_ns is where it worked; the times add up to the region's length. */
struct region_thread {
	uint32_t thread;
	uint64_t from_ns;
	uint64_t to_ns; /* when it was done, and came to the barrier */
	uint64_t ns[NR_REGION_TIMES];
	uint64_t spinning_ns; /* of the waiting time, on a CPU in wait spans */
	uint64_t nr_migrations;
};

struct region {
	size_t group;
	size_t barrier; /* that ends it, or NO_BARRIER */
	uint64_t from_ns;
	uint64_t to_ns; /* when the last thread was done */
	size_t first_thread; /* of regions.threads */
	size_t nr_threads;
	uint64_t sum_useful_ns;
	uint64_t max_useful_ns;
	uint64_t saved_ns;
	struct straggler last; /* the last thread, and why */
	size_t next_of_group; /* in regions.rows; NO_REGION: none */
};

struct region_group {
	uint32_t name; /* string id */
	bool is_barrier; /* it is the name of a barrier: nothing else was annotated */
	enum region_kind kind;
	size_t nr;
	size_t most_threads;
	size_t first; /* its first region; the others follow by next_of_group */
	size_t worst; /* the region of it that has most to save */
	uint64_t elapsed_ns;
	uint64_t useful_ns;
	double capacity_ns; /* sum of P * T */
	double max_ns; /* sums over the regions of max(u) ... */
	double average_ns; /* ... and of avg(u) ... */
	double imbalance_ns; /* ... and of (max - avg) * P / (P - 1) */
	uint64_t saved_ns;
};

struct region_totals {
	uint64_t parallel_ns;
	uint64_t serial_ns;
	uint64_t saved_ns;
	double capacity_ns; /* PT */
	double serial_idle_ns; /* S */
	double imbalance_idle_ns; /* B */
	double least_idle_ns; /* M */
};

struct regions {
	struct barriers barriers;
	int nr_cpus; /* that the session ran on */
	size_t nr;
	struct region *rows; /* by from_ns */
	size_t nr_threads;
	struct region_thread *threads;
	size_t nr_groups;
	struct region_group *groups; /* by first appearance */
	struct region_totals totals;
};

/*
 * Never fails. @miss_ns: of each of the model's pmu_events, what a miss costs (miss_costs_by_event()); 0: it is no miss.
 * regions_free() frees it.
 */
struct regions *regions_compute(const struct model *model, const struct task_stats *stats,
				const double *miss_ns);
void regions_free(struct regions *regions);

const char *region_kind_name(enum region_kind kind);

double region_average_ns(const struct region *region);
double region_load_balance(const struct region *region);
double region_parallel_efficiency(const struct region *region);
double region_imbalance_ns(const struct region *region);
double region_imbalance_pct(const struct region *region);

double region_group_load_balance(const struct region_group *group);
double region_group_parallel_efficiency(const struct region_group *group);
double region_group_imbalance_pct(const struct region_group *group);

/* False: there is no region. */
bool region_totals_efficiencies(const struct region_totals *totals, double *serialisation,
				double *load_balance, double *scheduling);

#endif /* ANNOT_REGIONS_H */
