/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests whether more misses happen at the begin of a thread's run on a CPU than later: how many more, with an
 * interval, and with the probability of chance. It works on plain figures: the caller defines a run, and the
 * source of its misses.
 *
 * The runs of one thread in one task are taken as alike ("thread" below). From samples: the warm rate r of a thread
 * is the rate in its late times. The excess of a run is
 * 	early misses - r * early time.
 *
 * From counts, only the sum of a run is known: count = E + r * time, fitted to a thread's runs by least squares, with
 * one r for the thread and one E, the excess, for each kind of run. Each run has the weight 1 / (time + 100 us), since
 * the variance of a count grows with its time. If all runs of a thread take about as long, r and E cannot be separated,
 * and the thread is left out.
 *
 * The excess of a kind is the mean over its runs, of all threads. Its bounds are the 2.5th and the 97.5th percentile of
 * 999 bootstrap samples (Efron, Tibshirani: An Introduction to the Bootstrap, 1993, ch. 13). They are drawn in blocks
 * of neighbouring runs, since neighbours may be alike.
 *
 * p is the share of 999 permutations and the observation itself that have as great an excess (Phipson, Smyth:
 * Permutation P-values Should Never Be Zero, 2010). From samples: without an excess, the samples of a run can be
 * circularly shifted by a random time. The statistic is the number of samples in the first 2 ms, or in the first half
 * if the run is shorter. From counts: the deviations from a constant rate, divided by the root of the weight's time,
 * are exchanged among the runs of the thread.
 *
 * Seeds are fixed: the same runs have the same figures. Cost: 999 times at most 4096 runs of a kind and 8192 blocks,
 * and some sorting.
 */
#ifndef ANNOT_SWITCH_EXCESS_H
#define ANNOT_SWITCH_EXCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/tasks/switch_runs.h"

#define SWITCH_EXCESS_EARLY_NS 2000000u

/* Misses, so far into the run. */
struct switch_excess_hit {
	double at_ns;
	double misses;
};

struct switch_excess_run {
	uint32_t thread; /* runs of one thread and task stand together */
	uint32_t task;
	size_t index; /* the caller's */
	uint8_t kind; /* enum switch_after */
	double run_ns; /* more than 0 */
	double misses; /* of all of it; from samples: the sum of the hits */
	size_t first_hit; /* from samples: hits[first_hit] and so on */
	size_t nr_hits;
};

struct switch_excess {
	size_t nr_runs; /* of threads of which the excess is known */
	bool known;
	double mean; /* of a run */
	double low;
	double high;
	double p_value;
};

struct switch_excess_input {
	size_t nr;
	const struct switch_excess_run *runs;
	const struct switch_excess_hit *hits; /* NULL: from counts */
};

/* Of a thread in a task of which the excess is known. */
struct switch_excess_thread {
	uint32_t thread;
	uint32_t task;
	size_t nr_runs[NR_SWITCH_AFTER];
	double excess[NR_SWITCH_AFTER]; /* of all runs of that kind together */
};

struct switch_excess_result {
	struct switch_excess of[NR_SWITCH_AFTER];
	size_t nr_threads;
	struct switch_excess_thread *threads;
	bool warm_known;
	double warm_per_ns; /* over all threads: late misses by late time */
};

/* Never fails. switch_excess_free() frees what @result points to. */
void switch_excess_compute(const struct switch_excess_input *input,
			   struct switch_excess_result *result);
void switch_excess_free(struct switch_excess_result *result);

/* How much of a run is early: until when misses are its begin's. */
double switch_excess_early_ns(bool thread_is_warm_late, double run_ns);

/* Whether a thread is long enough on a CPU beyond SWITCH_EXCESS_EARLY_NS to know its warm rate from there;
 * else it is that of the second half of each of its runs. */
bool switch_excess_is_warm_late(double all_ns, double beyond_ns);

#endif /* ANNOT_SWITCH_EXCESS_H */
