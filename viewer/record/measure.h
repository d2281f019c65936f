/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The PMU part of a recording: passes the events to the module, and reports the result.
 */
#ifndef ANNOT_RECORD_MEASURE_H
#define ANNOT_RECORD_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/request.h"

struct measure_plan {
	struct pmu_requests requests; /* none: the PMU is left alone */
	uint64_t period; /* for sampled events whose name has no period; 0: each has its default */
	uint64_t max_samples; /* of each event; 0: no limit */
	bool registers;
	bool stacks; /* of each sample, and of threads that fall asleep if that is recorded */
	bool quiet; /* print only warnings and errors */
};

struct measure {
	int ctl_fd; /* closing it removes the set, and what stacks are walked by; -1: there is none */
	bool samples; /* at least one event is sampled */
	bool addresses; /* and may have addresses of data: it is not a clock */
	bool counts;
	bool shares; /* what is counted takes turns: there are too few counters */
	unsigned int nr_measured; /* on each CPU */
	int64_t throttled_before_ns;
};

#define MEASURE_NONE ((struct measure){ .ctl_fd = -1 })

/* The period with which an event is sampled. */
uint64_t measure_period(const struct measure_plan *plan, const struct pmu_code *code);

/*
 * Lets the module try the set, and prints what each event got. Returns an exit status. It is not
 * EXIT_OK, after one line on stderr, if no event can be measured.
 */
int measure_open(struct measure *measure, const struct measure_plan *plan);

/*
 * Starts measuring. Call after the trace events are enabled, so that the start of the recording is
 * not measured. Returns -1 after one line on stderr.
 */
int measure_start(struct measure *measure, const struct measure_plan *plan);

/*
 * Whether the counters run. The module creates them one after the other. On a CPU that has no free
 * counter, none is created.
 */
bool measure_runs(const struct measure *measure);

/*
 * The time for which events were throttled because they interrupted too often, summed over CPUs and
 * events.
 */
uint64_t measure_throttled_ns(const struct measure *measure);

void measure_close(struct measure *measure);

#endif /* ANNOT_RECORD_MEASURE_H */
