/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Switches, wakeups and migrations: nearly all that a trace is made of. In the layout that every 64-bit
 * kernel of our byte order writes ("plain"), they are decoded without looking at the layout of a field.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_SCHED_H
#define ANNOT_TRACE_DECODE_DECODE_SCHED_H

#include "trace/decode/decode_state.h"

/* From @print, the print format of sched_switch, or "". */
void decode_sched_set_states(struct decoder *decoder, const char *print);

/* What goes into layout->plain. */
enum plain_layout decode_sched_plain_layout(const struct event_layout *layout);

/* A record of a plain layout, all of it. */
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
