/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wakeups as flows: from the slice in which one thread woke another to the next slice of that one.
 * A wakeup has a flow if it was one (it found the thread asleep, and the trace tells when it ran
 * next), and if a thread did it, not an interrupt or the idle thread.
 */
#ifndef ANNOT_CONVERT_FLOWS_H
#define ANNOT_CONVERT_FLOWS_H

#include <stdbool.h>

#include "model/model.h"

#define FLOW_NO_SLICE SIZE_MAX

/* Where a wakeup leads. */
struct flow_target {
	int cpu;
	size_t slice; /* row of model.cpus[cpu].slices */
};

/* Of row @wakeup of model.wakeups; slice is FLOW_NO_SLICE when the trace does not tell. */
struct flow_target flow_find_target(const struct model *model, size_t wakeup);

/* One end of a flow, at a slice. */
struct flow_end {
	uint32_t wakeup; /* row of model.wakeups */
	uint32_t slice;
	int16_t cpu;
	bool is_start;
};

struct flows {
	size_t nr;
	struct flow_end *ends; /* by cpu and slice; at one slice ends before starts, then in time */
};

/* flows_free() frees it. */
struct flows flows_find(const struct model *model);
void flows_free(struct flows *flows);

#endif /* ANNOT_CONVERT_FLOWS_H */
