/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measurements of the PMU: samples, counts of slices, and states of the counters.
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

/* Starts reading the counts beside the annotations of a batch, which has just begun. */
void decode_batch_counts_begin(struct decoder *decoder, const struct event_layout *layout,
			       const struct raw_record *record);

/* The counts up to the batch's next annotation. Returns false if there are none left. */
bool decode_batch_counts_next(struct decoder *decoder, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_PMU_H */
