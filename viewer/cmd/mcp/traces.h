/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The traces that annot mcp answers questions about, by their numbers, from 1.
 */
#ifndef ANNOT_MCP_TRACES_H
#define ANNOT_MCP_TRACES_H

#include "analysis/replay/what_if.h"
#include "cmd/mcp/progress.h"
#include "report/analyses.h"

/* It is open from the start; what follows the trace is NULL until somebody asks for it. */
struct mcp_trace {
	size_t number;
	struct trace *trace;
	struct model *model;
	struct task_stats *stats;
	struct analyses *analyses;
	struct what_if_oracle *oracle;
	struct mcp_progress *progress; /* of all traces */
};

struct mcp_traces {
	struct mcp_progress progress;
	size_t nr;
	struct mcp_trace *rows;
	const char *
		page; /* where the page of the only or first trace is; "": links have no more than their fragment */
};

/* Opens all. Returns 0, or -1 after one line on stderr. mcp_traces_close() frees them, then too. */
int mcp_traces_open(struct mcp_traces *traces, char *const *paths, size_t nr);
void mcp_traces_close(struct mcp_traces *traces);

/* Reads and analyses it, unless that was done. Returns 0, or -1 after one line on stderr. */
int mcp_trace_read(struct mcp_trace *trace);

/* Of a trace that was read: the replay, which is made once. */
const struct what_if_oracle *mcp_trace_oracle(struct mcp_trace *trace);

/* Of a trace that was read: its parallel regions. */
const struct regions *mcp_trace_regions(const struct mcp_trace *trace);

#endif /* ANNOT_MCP_TRACES_H */
