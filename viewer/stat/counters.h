/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of events on each CPU, of user code and of the kernel apart, by perf_event_open(2). CPUs
 * may go off line and come back.
 */
#ifndef ANNOT_STAT_COUNTERS_H
#define ANNOT_STAT_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmu/request.h"
#include "util/text/cpu_list.h"

enum counters_side {
	COUNTERS_USER,
	COUNTERS_KERNEL,
	NR_COUNTERS_SIDES,
};

/*
 * Counts of an interval. With more events than counters, each event is counted for a part of the
 * time, and @count is scaled up to all of it.
 */
struct count {
	uint64_t count;
	uint64_t enabled_ns; /* 0: not counted, or the CPU was off line */
	uint64_t running_ns; /* time that it was counted */
};

/* The counts of one event on one CPU. */
struct counts {
	bool wanted[NR_COUNTERS_SIDES];
	struct count interval[NR_COUNTERS_SIDES]; /* from the last reading but one to the last */
	struct count total[NR_COUNTERS_SIDES];
};

struct counters;

/*
 * Starts to count @requests on those of @cpus that are online, now or later. Events that the kernel
 * refuses are reported on stderr and dropped. Returns NULL after one line on stderr if nothing can
 * be counted.
 */
struct counters *counters_open(const struct pmu_requests *requests, const struct cpu_list *cpus);
void counters_close(struct counters *counters);

/* Starts a new interval. counters_get() then has the counts of the last one. */
void counters_read(struct counters *counters);

/* CPUs and events are numbered from 0 on. */
size_t counters_nr_cpus(const struct counters *counters);
size_t counters_nr_events(const struct counters *counters);
int counters_cpu(const struct counters *counters, size_t cpu);
const char *counters_event(const struct counters *counters, size_t event);
const struct counts *counters_get(const struct counters *counters, size_t cpu, size_t event);

/* Adds @more to @sum. */
void count_add(struct count *sum, const struct count *more);

#endif /* ANNOT_STAT_COUNTERS_H */
