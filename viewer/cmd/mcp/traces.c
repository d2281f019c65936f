// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/traces.h"

#include <stdlib.h>

#include "cmd/files/input_trace.h"
#include "model/reading.h"
#include "report/analysis_list.h"
#include "util/xalloc.h"

int mcp_traces_open(struct mcp_traces *traces, char *const *paths, size_t nr)
{
	traces->rows = xcalloc(nr, sizeof(*traces->rows));
	for (size_t i = 0; i < nr; i++) {
		traces->rows[i].number = i + 1;
		traces->rows[i].progress = &traces->progress;
		if (input_trace_open(paths[i], &traces->rows[i].trace))
			return -1;
		traces->nr++;
	}
	return 0;
}

static void close_trace(struct mcp_trace *trace)
{
	if (trace->oracle)
		what_if_oracle_free(trace->oracle);
	free(trace->oracle);
	analyses_free(trace->analyses);
	if (trace->stats)
		task_stats_free(trace->stats);
	if (trace->model)
		model_free(trace->model);
	input_trace_close(trace->trace);
}

void mcp_traces_close(struct mcp_traces *traces)
{
	for (size_t i = 0; i < traces->nr; i++)
		close_trace(&traces->rows[i]);
	free(traces->rows);
}

int mcp_trace_read(struct mcp_trace *trace)
{
	if (trace->model)
		return 0;
	mcp_progress_begin_step(trace->progress, "reading trace %zu", trace->number);
	if (model_build(trace->trace, &trace->model)) {
		trace->model = NULL;
		return -1;
	}
	mcp_progress_begin_step(trace->progress, "analysing trace %zu", trace->number);
	trace->stats = task_stats_compute(trace->model);
	trace->analyses = analyses_new_named(trace->model, trace->stats, NULL, NULL);
	return 0;
}

const struct regions *mcp_trace_regions(const struct mcp_trace *trace)
{
	return analyses_result(trace->analyses, &regions_analysis);
}

const struct what_if_oracle *mcp_trace_oracle(struct mcp_trace *trace)
{
	if (!trace->oracle) {
		mcp_progress_begin_step(trace->progress, "replaying trace %zu", trace->number);
		trace->oracle = xcalloc(1, sizeof(*trace->oracle));
		*trace->oracle = what_if_oracle_new(trace->model, mcp_trace_regions(trace));
	}
	return trace->oracle;
}
