/* SPDX-License-Identifier: GPL-2.0 */
/*
 * annot_blocked: what a thread waits for that falls asleep. annot_waking: where the one is that wakes it up.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_BLOCKED_H
#define ANNOT_TRACE_DECODE_DECODE_BLOCKED_H

#include "trace/decode/decode_state.h"

bool decode_annot_blocked(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);

bool decode_annot_waking(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_BLOCKED_H */
