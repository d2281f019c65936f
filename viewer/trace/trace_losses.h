/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a trace lacks, which makes figures of it lower bounds. It outlives the trace.
 */
#ifndef ANNOT_TRACE_LOSSES_H
#define ANNOT_TRACE_LOSSES_H

#include "trace/trace.h"

struct trace_losses {
	uint64_t nr_events; /* where the kernel counted them */
	uint64_t nr_gaps; /* intervals with losses, counted or not */
	uint64_t nr_annotations;
};

/* Of what was read of @trace so far. */
static inline struct trace_losses trace_losses_of(const struct trace *trace)
{
	const struct trace_info *info = trace_info(trace);

	return (struct trace_losses){
		.nr_events = info->nr_lost_events,
		.nr_gaps = info->nr_lost_gaps,
		.nr_annotations = info->annotations.nr_lost,
	};
}

static inline bool trace_losses_are_any(const struct trace_losses *losses)
{
	return losses->nr_gaps || losses->nr_annotations;
}

#endif /* ANNOT_TRACE_LOSSES_H */
