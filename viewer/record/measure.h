/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What of the PMU a recording is to have: handed to the module, and what came of it told.
 */
#ifndef ANNOT_RECORD_MEASURE_H
#define ANNOT_RECORD_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/request.h"

struct measure_plan {
	struct pmu_requests requests; /* none: the PMU is left alone */
	uint64_t period; /* of a sampled event whose name says none */
	uint64_t max_samples; /* of each event; 0: no limit */
	bool registers;
	bool quiet; /* say nothing but warnings and errors */
};

struct measure {
	int ctl_fd; /* the set is gone when it is closed; -1: there is none */
	bool samples; /* at least one event is sampled */
	bool counts;
	unsigned int nr_measured; /* on each CPU */
	int64_t throttled_before_ns;
};

#define MEASURE_NONE ((struct measure){ .ctl_fd = -1 })

/*
 * Has the module try the set, and tells of each event what it got. Returns an exit status: not
 * EXIT_OK, after one line on stderr, when nothing of it can be measured.
 */
int measure_open(struct measure *measure, const struct measure_plan *plan);

/*
 * Once the trace events are enabled: begins. So what is measured is not the start of the recording.
 * Returns -1 after one line on stderr.
 */
int measure_start(struct measure *measure, const struct measure_plan *plan);

/*
 * Are the counters at work? The module makes them by and by, and
 * on a CPU that cannot have one, none comes.
 */
bool measure_runs(const struct measure *measure);

/* For how long events were not measured because they interrupted too often; CPUs and events added up. */
uint64_t measure_throttled_ns(const struct measure *measure);

void measure_close(struct measure *measure);

#endif /* ANNOT_RECORD_MEASURE_H */
