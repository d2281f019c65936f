/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to block devices: block_rq_issue and block_rq_complete; of newer kernels, block_io_start and block_io_done;
 * block_rq_merge.
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_BLOCK_H
#define ANNOT_TRACE_DECODE_DECODE_BLOCK_H

#include "trace/decode/decode_state.h"

bool decode_block_issue(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);
bool decode_block_complete(struct decoder *decoder, const struct event_layout *layout,
			   const struct raw_record *record, struct trace_event *event);
/* It tells no error. */
bool decode_block_done(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);

bool decode_block_merge(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_BLOCK_H */
