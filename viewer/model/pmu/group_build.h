/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of groups of counters while a model is built.
 */
#ifndef ANNOT_MODEL_GROUP_BUILD_H
#define ANNOT_MODEL_GROUP_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/event.h"

/* The counters of a group, in the order of a row's counts. */
struct group_counters {
	uint32_t nr;
	uint8_t events[TRACE_GROUP_MOST_COUNTS]; /* index into model.pmu_events */
};

/* A thread left a CPU. */
struct group_switch {
	uint64_t time_ns;
	int32_t tid;
};

/*
 * The switches of a CPU that no row has ended at yet. perf and ftrace look at the clock one after the other, so that a row ends a
 * microsecond before or after its switch.
 */
struct group_cpu {
	bool has_rows;
	uint64_t told_ns; /* the end of the last row, as it was told */
	uint64_t end_ns; /* and as it is in the model */
	size_t first;
	size_t nr;
	size_t capacity;
	struct group_switch *switches;
};

/* Zero-initialise. */
struct group_build {
	int32_t teller_tid; /* who told of the first event: nobody else is believed; 0: nobody did yet */
	uint32_t nr_groups;
	struct group_counters *groups;
	int nr_cpus;
	struct group_cpu *cpus;
	bool has_new_rows; /* since the last cut: they are not in the order of their ends */
};

#endif /* ANNOT_MODEL_GROUP_BUILD_H */
