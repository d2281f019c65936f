/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What CPUs do to save power: cpu_idle and cpu_frequency.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_POWER_H
#define ANNOT_TRACE_DECODE_DECODE_POWER_H

#include "trace/decode/decode_state.h"

bool decode_cpu_idle(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event);
bool decode_cpu_frequency(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_POWER_H */
