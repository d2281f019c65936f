/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Readings of counters that the CPUs of a socket or a die share -> rows of what was counted between them.
 *
 * annot record reads them. It tells of them before it starts a command, so that only the thread that told of
 * the first one is believed: others that may write into trace_marker cannot change a figure.
 */
#ifndef ANNOT_MODEL_UNCORE_H
#define ANNOT_MODEL_UNCORE_H

#include "model/builder_state.h"

void uncore_feed_event(struct model_builder *builder, const struct trace_event *event);
void uncore_feed_counts(struct model_builder *builder, const struct trace_event *event);
void uncore_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_UNCORE_H */
