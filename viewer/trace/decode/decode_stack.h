/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks: the kernel's, which ftrace's trigger `stacktrace` puts behind an event; those of user code, by its option
 * `userstacktrace`; and what the module tells of the stacks that its other events name.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_STACK_H
#define ANNOT_TRACE_DECODE_DECODE_STACK_H

#include "trace/decode/decode_state.h"

/* How long a record is without frames. */
uint32_t decode_kernel_stack_min_bytes(const struct event_layout *layout);

bool decode_kernel_stack(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);

bool decode_user_stack(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_annot_stack(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_STACK_H */
