/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metrics of a directory, by task: those all of whose events were counted.
 */
#ifndef ANNOT_METRICS_H
#define ANNOT_METRICS_H

#include "analysis/tasks/task_stats.h"
#include "analysis/topdown/metric_dir.h"
#include "analysis/topdown/metric_estimate.h"

struct metrics_row {
	const struct metric_source *metric;
	uint32_t task;
	uint64_t on_cpu_ns;
	struct metric_estimate estimate; /* known; not scaled */
};

struct metrics {
	bool is_asked; /* there is a directory */
	size_t nr_metrics; /* of it, whose events were counted */
	size_t nr;
	struct metrics_row *rows; /* by metric; the tasks that were longest on a CPU first */
};

/* @dir: NULL: none; else it lives as long as the result. Never fails. metrics_free() frees what is in it. */
struct metrics metrics_compute(const struct model *model, const struct task_stats *stats,
			       const struct metric_dir *dir);
void metrics_free(struct metrics *metrics);

#endif /* ANNOT_METRICS_H */
