/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Switches, wakeups and migrations: nearly all events of a trace. 64-bit kernels in host byte order
 * all write the same layout ("plain"). It is decoded with constant offsets.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_SCHED_H
#define ANNOT_TRACE_DECODE_DECODE_SCHED_H

#include "trace/decode/decode_state.h"

/* Takes the bits of prev_state from @print, the print format of sched_switch, or "". */
void decode_sched_set_states(struct decoder *decoder, const char *print);

/* The value for layout->plain. */
enum plain_layout decode_sched_plain_layout(const struct event_layout *layout);

/* Decodes a complete record of a plain layout. */
void decode_sched_plain(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);

bool decode_sched_switch(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_sched_wakeup(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_sched_wakeup_new(struct decoder *decoder, const struct event_layout *layout,
			     const struct raw_record *record, struct trace_event *event);
bool decode_sched_waking(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_sched_migrate(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_SCHED_H */
