/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that nothing else decodes. Of each, the kernel wrote who ran on its CPU.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_OTHER_H
#define ANNOT_TRACE_DECODE_DECODE_OTHER_H

#include "trace/decode/decode_state.h"

/* Takes from @format, of any event, where each event has what all have. */
void decode_other_set_format(struct decoder *decoder, const struct event_format *format);

/* Of an event that nothing else decodes: who ran. False: it does not tell. */
bool decode_other(const struct decoder *decoder, const struct raw_record *record,
		  struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_OTHER_H */
