/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decodes bprint and bputs: lines of trace_printk() whose formats or texts are elsewhere.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_PRINTK_H
#define ANNOT_TRACE_DECODE_DECODE_PRINTK_H

#include "trace/decode/decode_state.h"

/* A line whose format the trace does not have stays an event of another kind. */
bool decode_bprint(struct decoder *decoder, const struct event_layout *layout,
		   const struct raw_record *record, struct trace_event *event);
bool decode_bputs(struct decoder *decoder, const struct event_layout *layout,
		  const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_PRINTK_H */
