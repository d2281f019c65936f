/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Annotations: the module's events, and what was written to trace_marker (ftrace's print) and
 * trace_marker_raw (raw_data).
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_ANNOT_H
#define ANNOT_TRACE_DECODE_DECODE_ANNOT_H

#include "trace/decode/decode_state.h"

bool decode_annot_begin(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);
bool decode_annot_end(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event);
bool decode_annot_mark(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_annot_counter(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);
bool decode_annot_batch(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);
bool decode_annot_name(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_annot_lost(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_annot_config(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_raw_data(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event);
bool decode_print(struct decoder *decoder, const struct event_layout *layout,
		  const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_ANNOT_H */
