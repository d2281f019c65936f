/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Misses after switches: how many more misses a thread has when it is switched in again, by the kind of switch. The
 * caches may have lost its data meanwhile.
 *
 * A curve has the miss rate in each bin of the time since the switch: the misses of the runs of that kind that reach
 * into the bin, divided by the time that they spend in it. Its error is one standard deviation of the number of samples,
 * or that of one sample if there is none. Counts are of whole runs and have no curve. switch_excess.h computes the
 * excess and its certainty. Runs in which the event was not measured all the time are left out.
 *
 * Threads and tasks differ: excess and warm rate are computed for each thread in each task, and figures of several are
 * means. Each event that is a miss by its name (miss_level.h) is analysed by itself. The time that an excess costs is
 * its misses times the cost of one (miss_costs.h).
 */
#ifndef ANNOT_SWITCH_MISSES_H
#define ANNOT_SWITCH_MISSES_H

#include "analysis/memory/switch_excess.h"
#include "analysis/memory/miss_costs.h"

#define NR_SWITCH_BINS 9
#define SWITCH_MOST_TASKS 16

struct switch_curve {
	size_t nr_runs;
	double misses[NR_SWITCH_BINS];
	double variance[NR_SWITCH_BINS];
	double ns[NR_SWITCH_BINS];
};

/* The thread that loses most in a task by runs of one kind. */
struct switch_victim {
	uint32_t thread; /* MODEL_NO_THREAD: no excess */
	size_t nr_runs;
	double excess; /* of all of them together */
	uint32_t by; /* the thread on the CPU before most of them, or MODEL_NO_THREAD */
	size_t worst; /* of switch_misses.runs: the one with the most early misses */
};

/* The same figures of one task. */
struct task_switch_misses {
	uint32_t task; /* string id */
	size_t nr_runs;
	struct switch_excess_result excesses;
	struct switch_victim victims[NR_SWITCH_AFTER];
};

struct event_switch_misses {
	size_t event;
	enum miss_level level;
	struct miss_cost cost; /* of a miss */
	size_t nr_runs; /* that were measured */
	size_t nr_left_out; /* that were not, all the time */
	struct switch_curve curves[NR_SWITCH_AFTER]; /* from samples only */
	struct switch_excess_result excesses; /* of all tasks */
	size_t nr_tasks;
	struct task_switch_misses *tasks; /* those of most runs, SWITCH_MOST_TASKS at most */
};

struct switch_misses {
	struct switch_runs runs; /* none, if no event is looked at */
	size_t nr_events;
	struct event_switch_misses *events; /* of those of which a run was measured; the one that
					     * costs most is first */
};

/* The edges of the bins in nanoseconds: NR_SWITCH_BINS + 1, the last UINT64_MAX. */
const uint64_t *switch_misses_bins(void);

/* @levels: of each of the model's events. @costs: of each level. Never fails; switch_misses_free() frees it. */
struct switch_misses *switch_misses_compute(const struct model *model,
					    const enum miss_level *levels,
					    const struct miss_costs *costs);
void switch_misses_free(struct switch_misses *misses);

/* What the excess of that kind costs at a switch; 0 of none. */
double switch_misses_cost_ns(const struct miss_cost *cost, const struct switch_excess *excess);

#endif /* ANNOT_SWITCH_MISSES_H */
