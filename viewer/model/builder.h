/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds a model event by event. model_build() feeds it from a file; tests feed it by hand.
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
struct model_sink;
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

/*
 * Reads all events of @trace into a new model; free it with model_free(). The trace stays open.
 * Returns -1 after one line on stderr: the file is damaged, has no sched_switch events, or memory
 * ran out.
 */
int model_build(struct trace *trace, struct model **out);

/*
 * Like model_build(), for a file that is also read in another way: does not print again what is
 * missing in it. It reads at most @most_events. Each annotation in a batch counts as one; events
 * that only name the running thread do not count. If there are more, @out is NULL, and @read_ns is
 * the time that was reached.
 */
int model_build_again(struct trace *trace, uint64_t most_events, uint64_t *read_ns,
		      struct model **out);

/*
 * Like model_build(), but gives each window to @sink when its time is over, and returns the rest in
 * @rest. Memory holds one window, the rows that cross cuts, and what is known of threads.
 */
int model_stream(struct trace *trace, const struct model_sink *sink, struct model **rest);

/*
 * Like model_stream(), and the rows of all windows stay in memory: @whole is the model that model_build() makes, and @rest shares
 * some of its tables, so kept_model_free() frees both. If there are more than @most_events, as model_build_again() counts them,
 * and not only in the last window, no rows stay, @whole is NULL, and @read_ns is the time of the first event too many. The sink has state().
 */
struct kept_model {
	struct model *whole;
	struct model *rest;
	uint64_t read_ns;
};

int model_stream_kept(struct trace *trace, const struct model_sink *sink, uint64_t most_events,
		      struct kept_model *out);
void kept_model_free(struct kept_model *kept);

/* Like model_stream(), but without the messages on stderr about what is missing in the trace. */
int model_survey(struct trace *trace, const struct model_sink *sink, struct model **rest);

#endif /* ANNOT_MODEL_BUILDER_H */
