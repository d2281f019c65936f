/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts annotations that are missing from the trace or were changed.
 */
#ifndef ANNOT_TRACE_ANNOTATIONS_ANNOTATION_COUNTS_H
#define ANNOT_TRACE_ANNOTATIONS_ANNOTATION_COUNTS_H

#include "trace/event.h"

/* @nr annotations are missing, for the reason @why. */
void annotation_counts_add_lost(struct trace_annotation_counts *counts,
				enum trace_annotation_loss why, uint64_t nr);

/* Counts an annotation that cannot be read. */
void annotation_counts_add_unreadable(struct trace_annotation_counts *counts);

/*
 * The time of an annotation that was made @ago_ns before its event at @time_ns. An impossible age
 * is counted as altered, and @time_ns is returned.
 */
uint64_t annotation_counts_time(uint64_t time_ns, uint64_t ago_ns,
				struct trace_annotation_counts *counts);

#endif /* ANNOT_TRACE_ANNOTATIONS_ANNOTATION_COUNTS_H */
