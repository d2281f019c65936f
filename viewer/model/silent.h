/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPUs of which the trace has no event, for a filter or a loss has left all of them out. Where threads
 * are put into the queue of such a CPU, they run there unseen, and so may any other thread that waits or
 * sleeps. That holds from the trace's beginning on: so it has to be known before the first event is fed,
 * and all are gone through ahead.
 */
#ifndef ANNOT_MODEL_SILENT_H
#define ANNOT_MODEL_SILENT_H

#include "model/builder.h"

/* For each event of the trace, in order. Of CPUs with cpu_build.is_silent set. */
void silent_note(struct model_builder *builder, const struct trace_event *event);

/* After the last one, at @last_ns, and before the first is fed. */
void silent_settle(struct model_builder *builder, uint64_t last_ns);

#endif /* ANNOT_MODEL_SILENT_H */
