/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace that annot diff compares with others.
 */
#ifndef ANNOT_CMD_DIFFED_TRACE_H
#define ANNOT_CMD_DIFFED_TRACE_H

#include "analysis/runs/runs_diff.h"
#include "report/analyses.h"

/* One trace and the results from it; all 0: not open. */
struct diffed_trace {
	struct trace *trace;
	struct model *model;
	struct task_stats *stats;
	struct analyses *analyses;
};

/* Returns 0, or -1 after one line on stderr. diffed_trace_close() closes it, either way. */
int diffed_trace_open(struct diffed_trace *diffed, const char *path);
void diffed_trace_close(struct diffed_trace *diffed);

/* The figures of a trace that is open; run_figures_free() frees them. */
struct run_figures diffed_trace_figures(const struct diffed_trace *diffed,
					struct string_table *names);

#endif /* ANNOT_CMD_DIFFED_TRACE_H */
