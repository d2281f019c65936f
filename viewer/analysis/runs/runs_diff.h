/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Several runs of a program before a change and several after it: what differs by more than one run differs from the next.
 *
 * The unit is the run. What makes one run slower than the next (where its memory lies, what else the machine does) does so with
 * all its instances, so these are not independent of each other, however many there are. Each run counts with one value for each
 * figure: the mean of its instances, its length, what its worst finding costs. The means of both sides are compared by Welch's
 * test (welch_test.h).
 *
 * Many figures are compared, of which some differ by chance. A figure stands out if its p-value, adjusted for the number of all of
 * them by Holm's method (holm.h), is at most RUNS_MOST_P, and if it changed by RUNS_LEAST_CHANGE; a finding, if what it costs
 * changed by RUNS_LEAST_SHARE of the session. So if nothing changed, anything at all stands out in 5 of 100 comparisons at most.
 *
 * A task that is on a CPU for RUNS_ALL_ON_CPU of its time in each run has one figure for both of its times, or each would
 * make the other harder to find.
 *
 * How often a change is found depends on how much runs differ, by a share s, and on their number of each side, n: the power is that of a
 * t-test with the noncentrality ln(1 + change) / (s sqrt(2 / n)). If instances differ by 3 %, the means of 40 differ by 0.5 %, and
 * 5 runs a side show a change of 5 % as good as always. If whole runs differ by 3 %, they show it of one figure in 60 of 100
 * cases, and 10 runs a side in 93; no two-sided test with 5 % of false alarms shows it in more than 73 with 5, even if it
 * is told s. Among many figures, it is less.
 *
 * With one run a side, how much runs differ is unknown, and nothing stands out.
 */
#ifndef ANNOT_RUNS_DIFF_H
#define ANNOT_RUNS_DIFF_H

#include "analysis/runs/runs_value.h"

#define RUNS_LEAST_CHANGE 0.01
#define RUNS_LEAST_SHARE 0.01
#define RUNS_ALL_ON_CPU 0.995

struct runs_event {
	uint32_t name;
	struct runs_value count; /* per instance */
};

struct runs_task {
	uint32_t name;
	enum trace_span_kind kind;
	size_t instances[2]; /* of all runs */
	double total_ns[2]; /* of all instances of a run: its mean */
	struct runs_value wall;
	struct runs_value on_cpu;
	bool is_on_cpu; /* as good as always, in each run: then both times are one figure */
	size_t nr_events; /* measured on both sides */
	struct runs_event *events;
};

struct runs_finding {
	enum finding_kind kind;
	size_t nr_found[2]; /* in so many runs */
	struct runs_value lost; /* a run in which it was not found lost 0 */
	const char *texts[2]; /* of the run that lost most; NULL: none */
};

struct runs_diff {
	size_t nr_compared; /* figures: what p-values are adjusted for */
	struct runs_value session;
	size_t nr_tasks; /* by how much all their instances together changed, the most first */
	struct runs_task *tasks;
	size_t nr_findings;
	struct runs_finding findings[NR_FINDING_KINDS];
	bool stands_out; /* anything does */
};

/* Never fails; @runs must live as long. runs_diff_free() frees it. */
struct runs_diff *runs_diff_compute(const struct runs *runs);
void runs_diff_free(struct runs_diff *diff);

#endif /* ANNOT_RUNS_DIFF_H */
