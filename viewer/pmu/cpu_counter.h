/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A counter of all that a CPU does, whoever runs on it, which perf_event_open(2) makes for this process.
 */
#ifndef ANNOT_CPU_COUNTER_H
#define ANNOT_CPU_COUNTER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "pmu/encode.h"

/* As the kernel gives it to read(). */
struct cpu_counter_reading {
	uint64_t count;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

/* Nothing is excluded. */
struct perf_event_attr cpu_counter_attr(const struct pmu_code *code);

/*
 * Each counter of each CPU is an open file: allows this process as many as it may have. @before: what it was allowed, for children; NULL: they may
 * have as many.
 */
void cpu_counter_allow_many(struct rlimit *before);

/* Returns its descriptor, or -1 with errno. */
int cpu_counter_open(struct perf_event_attr attr, int cpu);

/* Returns false if it does not count any more: its CPU went off line. */
bool cpu_counter_read(int fd, struct cpu_counter_reading *reading);

#endif /* ANNOT_CPU_COUNTER_H */
