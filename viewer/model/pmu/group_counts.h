/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters that annot record reads itself, in groups -> rows of slice_counts, as those that the module counts.
 *
 * annot record tells of the counters before it starts a command, so that only the thread that told of the first one is believed:
 * others that may write into trace_marker cannot change a figure. Rows come late, and of one CPU after the other.
 */
#ifndef ANNOT_MODEL_GROUP_COUNTS_H
#define ANNOT_MODEL_GROUP_COUNTS_H

#include "model/builder_state.h"

void group_counts_feed_event(struct model_builder *builder, const struct trace_event *event);
void group_counts_feed_rows(struct model_builder *builder, const struct trace_event *event);
void group_counts_feed_gap(struct model_builder *builder, const struct trace_event *event);

/* A thread leaves its CPU. */
void group_counts_note_switch(struct model_builder *builder, const struct trace_event *event);

void group_counts_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_GROUP_COUNTS_H */
