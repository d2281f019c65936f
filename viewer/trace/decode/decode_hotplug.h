/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decodes steps on a CPU's way to being online or offline: cpuhp_enter, cpuhp_multi_enter, cpuhp_exit.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_HOTPLUG_H
#define ANNOT_TRACE_DECODE_DECODE_HOTPLUG_H

#include "trace/decode/decode_state.h"

bool decode_hotplug_enter(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);
bool decode_hotplug_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_HOTPLUG_H */
