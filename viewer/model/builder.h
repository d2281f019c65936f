/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds a model event by event. reading.h feeds it from a file; tests feed it by hand.
 *
 * Rules for events that contradict each other, and for lost events ("lost events" in
 * annot-report(1) describes the same to users):
 * - When a CPU loses events, its running thread is unknown until its next event names it. The
 *   thread that ran there when the loss began, and the threads in its queue, are STATE_UNKNOWN
 *   until they are seen again. A sleeping thread is assumed to sleep on.
 * - Each event, of any kind, names the thread that runs on its CPU (evidence.h). A switch is
 *   missing if that is not the thread that the model has there, or if a thread appears where it
 *   cannot be. Then the model's state is valid up to the last event of the CPU concerned, and
 *   STATE_UNKNOWN from there. The time from there to the CPU's next event is a gap. The threads in
 *   the CPU's queue are STATE_UNKNOWN, too. If a thread's switch onto a CPU was not seen, the
 *   thread is STATE_UNKNOWN from that CPU's last event on.
 * - If the trace has wakeups and a sleeping thread runs without a wakeup, it is STATE_UNKNOWN since
 *   it fell asleep, or since a loss that may have included its wakeup.
 * - A CPU may have no events although other CPUs put threads into its queue. A sleeping thread may
 *   have run there, and the threads in its queue are STATE_UNKNOWN.
 * - A move between CPUs is a migration only if the thread was certainly nowhere else in between. So
 *   the number of migrations is a lower bound in a trace with losses.
 */
#ifndef ANNOT_MODEL_BUILDER_H
#define ANNOT_MODEL_BUILDER_H

#include "model/model.h"

struct model_builder;
struct model_windows;

/* The model refers to @trace. It may be NULL if no strings are needed. */
void model_builder_init(struct model_builder *builder, struct trace *trace);
void model_builder_feed(struct model_builder *builder, const struct trace_event *event);

/* Lets the rows go into @windows, which the caller has set up. Call before the first event. */
void model_builder_use_windows(struct model_builder *builder, struct model_windows *windows);

/*
 * Completes and returns the model; with windows, the rest. Free it with model_free(). The builder
 * cannot be used afterwards.
 */
struct model *model_builder_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_BUILDER_H */
