/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timers of high resolution: hrtimer_start, hrtimer_expire_entry, hrtimer_expire_exit.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_TIMER_H
#define ANNOT_TRACE_DECODE_DECODE_TIMER_H

#include "trace/decode/decode_state.h"

bool decode_timer_start(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);
bool decode_timer_expire(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_timer_done(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_TIMER_H */
