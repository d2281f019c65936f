// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/diffed_trace.h"

#include "cmd/files/input_trace.h"
#include "model/reading.h"
#include "report/analyses/critical_path_report.h"

int diffed_trace_open(struct diffed_trace *diffed, const char *path)
{
	if (input_trace_open(path, &diffed->trace)) {
		diffed->trace = NULL;
		return -1;
	}
	if (model_build(diffed->trace, &diffed->model)) {
		diffed->model = NULL;
		return -1;
	}
	diffed->stats = task_stats_compute(diffed->model);
	diffed->analyses = analyses_new(diffed->model, diffed->stats);
	return 0;
}

void diffed_trace_close(struct diffed_trace *diffed)
{
	analyses_free(diffed->analyses);
	if (diffed->stats)
		task_stats_free(diffed->stats);
	model_free(diffed->model);
	input_trace_close(diffed->trace);
}

struct run_figures diffed_trace_figures(const struct diffed_trace *diffed,
					struct string_table *names)
{
	return run_figures_of(diffed->model, diffed->stats, &diffed->analyses->findings,
			      critical_path_report_session(diffed->analyses), names);
}
