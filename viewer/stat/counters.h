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
#include "util/cpu_list.h"

enum counters_side {
	COUNTERS_USER,
	COUNTERS_KERNEL,
	NR_COUNTERS_SIDES,
};

/*
 * What was counted in a time. Where more events were asked for than there are counters, each was
 * counted for a part of the time only, and @count is what that makes of the whole.
 */
struct count {
	uint64_t count;
	uint64_t enabled_ns; /* 0: not counted, or the CPU was off line */
	uint64_t running_ns; /* how long of it */
};

/* Of one event on one CPU. */
struct counts {
	bool wanted[NR_COUNTERS_SIDES];
	struct count interval[NR_COUNTERS_SIDES]; /* from the last reading but one to the last */
	struct count total[NR_COUNTERS_SIDES];
};

struct counters;

/*
 * Begins to count @requests on those of @cpus that are on line, now or later. Events that the kernel
 * refuses are told on stderr and left out. Returns NULL after one line on stderr when nothing can be
 * counted.
 */
struct counters *counters_open(const struct pmu_requests *requests, const struct cpu_list *cpus);
void counters_close(struct counters *counters);

/* Begins a new interval: what was counted since the last is then in counters_get(). */
void counters_read(struct counters *counters);

/* CPUs and events are numbered from 0 on. */
size_t counters_nr_cpus(const struct counters *counters);
size_t counters_nr_events(const struct counters *counters);
int counters_cpu(const struct counters *counters, size_t cpu);
const char *counters_event(const struct counters *counters, size_t event);
const struct counts *counters_get(const struct counters *counters, size_t cpu, size_t event);

/* Adds @more to @sum. */
void count_add(struct count *sum, const struct count *more);

/* What @raw, counted in @running_ns of @enabled_ns, makes for the whole of it. */
uint64_t count_scale(uint64_t raw, uint64_t enabled_ns, uint64_t running_ns);

#endif /* ANNOT_STAT_COUNTERS_H */
