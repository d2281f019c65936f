/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Creation, names and end of threads.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_TASK_H
#define ANNOT_TRACE_DECODE_DECODE_TASK_H

#include "trace/decode/decode_state.h"

bool decode_task_newtask(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_task_fork(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event);
bool decode_task_rename(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);
bool decode_task_exec(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event);
bool decode_task_exit(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_TASK_H */
