/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two traces of the same program, before and after: per task, per event and per finding, what became
 * better or worse, and whether that exceeds the spread over the instances.
 *
 * A task's time stands out if Mann and Whitney's test gives no more than DIFF_MOST_P for all tasks
 * together (Bonferroni), the median changed by DIFF_LEAST_CHANGE, and an instance of one trace is
 * longer than one of the other in DIFF_LEAST_SUPERIORITY of all cases. So many instances that
 * the least shift is significant do not make it one that matters. Instances of which the trace has no
 * end are left out.
 *
 * An event's count per instance stands out if it changed by DIFF_LEAST_CHANGE and by three times its
 * error; a finding, if what it costs changed by DIFF_LEAST_SHARE of the session.
 */
#ifndef ANNOT_DIFF_H
#define ANNOT_DIFF_H

#include "analysis/base/findings.h"
#include "analysis/tasks/task_stats.h"

#define DIFF_MOST_P 0.01
#define DIFF_LEAST_CHANGE 0.05
#define DIFF_LEAST_SUPERIORITY 0.7
#define DIFF_LEAST_SHARE 0.05

struct diff_side {
	const struct model *model;
	const struct task_stats *stats;
	const struct findings *findings;
};

/* Over the instances of one trace. */
struct spread {
	size_t nr;
	uint64_t median;
	uint64_t low; /* a quarter is below */
	uint64_t high; /* a quarter is above */
};

struct diff_time {
	struct spread spreads[2]; /* before, after */
	double change; /* of the median, as a share of it before; INFINITY: that was 0 */
	double superiority; /* see rank_test.h */
	double p_value;
	bool stands_out;
};

struct diff_event {
	const char *name;
	double counts[2]; /* per instance */
	double errors[2];
	double change; /* likewise */
	bool stands_out;
};

struct diff_task {
	const char *name;
	enum trace_span_kind kind;
	uint64_t sum_ns[2]; /* of wall time */
	struct diff_time wall;
	struct diff_time on_cpu;
	size_t nr_events; /* measured in both */
	struct diff_event *events;
};

struct diff_finding {
	enum finding_kind kind;
	uint64_t lost_ns[2]; /* at most, of the worst of the kind; 0: none was found */
	const char *texts[2]; /* NULL: none */
	bool stands_out;
};

struct diff {
	uint64_t session_ns[2];
	size_t nr_tasks; /* by how much all instances together changed, the most first */
	struct diff_task *tasks;
	size_t nr_findings;
	struct diff_finding findings[NR_FINDING_KINDS];
	bool stands_out; /* anything does */
};

/* Never fails; @sides must live as long. diff_free() frees it. Cost: O(n log n) over the spans. */
struct diff *diff_compute(const struct diff_side sides[2]);
void diff_free(struct diff *diff);

#endif /* ANNOT_DIFF_H */
