/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to block devices while a model is built.
 *
 * A request lasts from when it was queued, if the trace tells that, else from when the device got it, until it was completed. A
 * completion whose begin is not in the trace leaves no row, nor does a request that becomes a part of another one: that one
 * has its bytes, if it is issued behind that.
 */
#ifndef ANNOT_MODEL_BLOCK_IO_H
#define ANNOT_MODEL_BLOCK_IO_H

#include "model/builder_state.h"

void block_io_feed(struct model_builder *builder, const struct trace_event *event);

/* Events are lost: among them may be completions. */
void block_io_lose(struct model_builder *builder);

void block_io_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_BLOCK_IO_H */
