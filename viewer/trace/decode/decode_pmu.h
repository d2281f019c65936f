/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the PMU measured: samples, counts of slices, and the state of the counters.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_PMU_H
#define ANNOT_TRACE_DECODE_DECODE_PMU_H

#include "trace/decode/decode_state.h"

bool decode_annot_sample(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_annot_slice_counts(struct decoder *decoder, const struct event_layout *layout,
			       const struct raw_record *record, struct trace_event *event);
bool decode_annot_pmu_state(struct decoder *decoder, const struct event_layout *layout,
			    const struct raw_record *record, struct trace_event *event);

/* Takes the counts that stand beside the annotations of a batch, which has just begun. */
void decode_batch_counts_begin(struct decoder *decoder, const struct event_layout *layout,
			       const struct raw_record *record);

/* The counts until the batch's next annotation. False: there are none, or they were handed out. */
bool decode_batch_counts_next(struct decoder *decoder, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_PMU_H */
