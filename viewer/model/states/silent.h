/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPUs without any event in the trace, because a filter or a loss dropped all of them. If threads
 * are put into the queue of such a CPU, they run there unseen, and so may any other thread that
 * waits or sleeps. That holds from the start of the trace. So it must be known before the first
 * event is fed, and all events are read once before.
 */
#ifndef ANNOT_MODEL_SILENT_H
#define ANNOT_MODEL_SILENT_H

#include "model/builder_state.h"

/* Call for each event in order, in the pass before; looks at CPUs with cpu_build.is_silent. */
void silent_note(struct model_builder *builder, const struct trace_event *event);

/* Call after the last event (at @last_ns), before the first event is fed. */
void silent_settle(struct model_builder *builder, uint64_t last_ns);

#endif /* ANNOT_MODEL_SILENT_H */
