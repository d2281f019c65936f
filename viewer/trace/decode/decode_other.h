/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that are not decoded further. Each has the running thread in its common fields.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_OTHER_H
#define ANNOT_TRACE_DECODE_DECODE_OTHER_H

#include "trace/decode/decode_state.h"

/* Takes the positions of the common fields from @format, that of any event. */
void decode_other_set_format(struct decoder *decoder, const struct event_format *format);

/* Whether the event may be inside a switch: its thread may already have left. */
bool decode_other_may_be_in_switch(const struct decoder *decoder, const struct raw_record *record);

/* Decodes the running thread. Returns false if the record does not have it. */
bool decode_other(const struct decoder *decoder, const struct raw_record *record,
		  struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_OTHER_H */
