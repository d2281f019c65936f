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

/* Zero-initialise. */
struct group_build {
	int32_t teller_tid; /* who told of the first event: nobody else is believed; 0: nobody did yet */
	uint32_t nr_groups;
	struct group_counters *groups;
	bool has_new_rows; /* since the last cut: they are not in the order of their ends */
};

#endif /* ANNOT_MODEL_GROUP_BUILD_H */
