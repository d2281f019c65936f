/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decodes what is done to a thread, mostly by another one: a priority that it inherits, a cgroup that it is moved to.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_THREAD_MARKS_H
#define ANNOT_TRACE_DECODE_DECODE_THREAD_MARKS_H

#include "trace/decode/decode_state.h"

bool decode_inherited_priority(struct decoder *decoder, const struct event_layout *layout,
			       const struct raw_record *record, struct trace_event *event);
bool decode_cgroup_move(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_THREAD_MARKS_H */
