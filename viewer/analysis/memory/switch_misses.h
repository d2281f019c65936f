/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Misses after switches: a thread that comes back to a CPU finds what the caches still hold of its
 * data. How many misses more that makes, after which kind of switch.
 *
 * A curve has, for each bin of the time since the thread was switched in, the misses of the runs of
 * that kind that reach into it, by the time that they spend in it. Its error is that of the samples'
 * number (one standard deviation); where there is no sample, that of one. Counts are of runs as a
 * whole and have no curve. The excess and its certainty: analysis/memory/switch_excess.h. Runs in which the event
 * was not measured all the time are left out.
 *
 * Threads differ, and so do tasks: excess and warm rate are those of each thread in each task, and what
 * is told of several is their mean. Events that are misses by their names are looked at (miss_level.h), each by itself. The time that
 * an excess costs is its misses by what one costs at least (miss_cost_ns()).
 */
#ifndef ANNOT_SWITCH_MISSES_H
#define ANNOT_SWITCH_MISSES_H

#include "analysis/memory/switch_excess.h"
#include "analysis/base/miss_level.h"

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
	uint32_t by; /* who was there before most of them, or MODEL_NO_THREAD */
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

/* @levels: of each of the model's events. Never fails; switch_misses_free() frees it. */
struct switch_misses *switch_misses_compute(const struct model *model,
					    const enum miss_level *levels);
void switch_misses_free(struct switch_misses *misses);

/* What the excess of that kind costs at a switch; 0 of none. */
double switch_misses_cost_ns(enum miss_level level, const struct switch_excess *excess);

#endif /* ANNOT_SWITCH_MISSES_H */
