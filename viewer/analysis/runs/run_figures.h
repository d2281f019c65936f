/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of one run, by which it is compared with others: kept when its trace and model are gone, which are a thousand
 * times larger. Names are ids of one table for all runs.
 *
 * Of tasks whose spans end in the trace, over the spans of the session's threads (whole_spans.h). A percentile is the shortest
 * instance than which that share of all is not longer.
 */
#ifndef ANNOT_RUN_FIGURES_H
#define ANNOT_RUN_FIGURES_H

#include "analysis/base/findings.h"
#include "analysis/tasks/task_stats.h"
#include "analysis/instances/instance_split.h"
#include "analysis/regions/critical_path.h"
#include "trace/trace_losses.h"
#include "util/string_table.h"

enum run_length {
	RUN_MEAN,
	RUN_P50,
	RUN_P90,
	RUN_P95,
	RUN_P99,
	RUN_MAX,
	RUN_TOTAL,
	NR_RUN_LENGTHS,
};

struct run_event {
	uint32_t name;
	double count; /* per instance */
};

struct run_task {
	uint32_t name;
	enum trace_span_kind kind;
	size_t nr_instances;
	double wall_ns[NR_RUN_LENGTHS];
	double on_cpu_ns; /* mean */
	struct instance_times
		times; /* of the mean instance: nr is 1; causes are ids of the table */
	struct instance_split_rates rates; /* what the instances teach of the task */
	bool with_kernel; /* counts are of the kernel, too */
	double migrations; /* per instance */
	bool has_misses;
	double misses; /* per instance, of the last level of those measured */
	size_t nr_events;
	struct run_event *events; /* those that were measured */
};

/* Of the session's critical path: what all threads did of one kind in one task. */
struct run_path_line {
	uint32_t task; /* name; TRACE_NO_STRING: in none */
	enum path_kind kind;
	uint32_t waits_for; /* of PATH_BLOCKED; TRACE_NO_STRING: not known */
	double ns;
};

struct run_finding {
	uint64_t lost_ns; /* at most, of the worst of the kind; 0: none was found */
	uint64_t any_lost_ns; /* the same, of one that is no finding for its small share, too */
	char *text; /* NULL: none */
};

struct run_figures {
	uint64_t session_ns;
	struct trace_losses losses;
	size_t nr_tasks;
	struct run_task *tasks; /* in the order of names and kinds */
	struct run_finding findings[NR_FINDING_KINDS];
	size_t nr_path_lines;
	struct run_path_line *path_lines;
};

/*
 * Never fails; adds to @names; @path is that of the session. run_figures_free() frees what is in it. Cost: of n instances O(n log n), and the rows of the model in each of
 * them.
 */
struct run_figures run_figures_of(const struct model *model, const struct task_stats *stats,
				  const struct findings *findings, const struct critical_path *path,
				  struct string_table *names);
void run_figures_free(struct run_figures *run);

/* NULL: the run has none. */
const struct run_task *run_figures_task(const struct run_figures *run, uint32_t name,
					enum trace_span_kind kind);

#endif /* ANNOT_RUN_FIGURES_H */
