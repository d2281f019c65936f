/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metrics of a directory: the *.json of the kernel's tools/perf/pmu-events/arch/ARCH/CPU, or of intel/perfmon's CPU/metrics/perf.
 * A file is a list of objects; those with MetricName and MetricExpr are metrics, others are left out.
 */
#ifndef ANNOT_METRIC_DIR_H
#define ANNOT_METRIC_DIR_H

#include <stddef.h>

struct metric_source {
	char *name;
	char *text; /* its formula */
	char *description; /* "": none */
	double scale; /* of its ScaleUnit, "100%": 100 and "%" */
	char *unit;
};

struct metric_dir {
	size_t nr;
	size_t capacity;
	struct metric_source *metrics; /* by name */
};

/*
 * Returns an exit status: not EXIT_OK after one line on stderr, which names the file and the metric, if something cannot be read, is no
 * formula, or is there twice; or if there is no metric. metric_dir_free() frees @dir, whatever is returned.
 */
int metric_dir_read(const char *path, struct metric_dir *dir);
void metric_dir_free(struct metric_dir *dir);

/* The metric with that name, ignoring case, as perf; NULL: none. */
const struct metric_source *metric_dir_find(const struct metric_dir *dir, const char *name);

#endif /* ANNOT_METRIC_DIR_H */
