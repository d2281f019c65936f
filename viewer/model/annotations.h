/* SPDX-License-Identifier: GPL-2.0 */
/* What programs annotate: spans and marks, and what some marks mean (team_names.h). */
#ifndef ANNOT_MODEL_ANNOTATIONS_H
#define ANNOT_MODEL_ANNOTATIONS_H

struct model_builder;
struct trace_event;

/* Adds an annotation of the thread that made it, which need not be the one that wrote it into the trace. */
void annotations_feed(struct model_builder *builder, const struct trace_event *event);

#endif /* ANNOT_MODEL_ANNOTATIONS_H */
