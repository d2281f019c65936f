/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The timeline piece by piece, so that what is held in memory does not grow with the trace.
 *
 * Cuts divide the time of the trace into windows. A window is a model of the rows that begin and
 * end in it, its cuts included; a row that crosses a cut, or came when its window was closed
 * already, is in the rest, a model of its own. So each row is in exactly one of them. All have the
 * same threads and CPUs at the same indices, and times since the trace's start. All gaps of CPUs
 * and of the PMU, and the mappings, are in the rest.
 *
 * The states of a thread in a window follow each other: row i lasts until start_ns[i + 1], and
 * start_ns[nr] is the end of the last one. In the rest they do not: there, end_ns tells.
 */
#ifndef ANNOT_MODEL_WINDOW_H
#define ANNOT_MODEL_WINDOW_H

#include "model/model.h"
#include "model/state_log.h"
#include "model/state_sums.h"

/* Events that make rows, in a window: some MB of columns. */
#define WINDOW_EVENTS 131072

/*
 * Is called with each window, in time order. Of its threads, only the columns are meant: what they
 * are called, and the like, is known in the end. The window is freed after the call, and has no
 * registers of samples. @from_ns and @to_ns are the cuts.
 */
struct model_sink {
	void (*take)(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns);
	void *context;
	/*
	 * If not NULL, windows have the states of threads as edits (edits.h) of what their slices and
	 * wakeups imply, which costs less; and the times of those that will be in a window, not in
	 * the rest, are told to this: of each thread in order, of all threads in any. Rows within
	 * one step of @step_ns, a power of two, from 0 on, are told as if each state had lasted there
	 * but once.
	 */
	void (*state)(void *context, uint32_t thread, enum thread_state state, uint64_t start_ns,
		      uint64_t end_ns);
	uint64_t step_ns;
	void (*progress)(uint64_t to_ns); /* told after each window, if not NULL */
};

/* What is known of a thread's states within the window, while they are booked as edits. */
struct window_thread {
	struct state_log log;
	struct state_sums sums;
};

struct model_windows {
	const struct model_sink *sink;
	size_t nr_events_each;
	size_t nr_events; /* since the last cut */
	uint64_t from_ns; /* the last cut */
	struct model rest; /* columns only */
};

/*
 * As model_build(), but hands each window to @sink when its time is over, and returns the rest.
 * Memory: that of a window, of what crosses cuts, and of what is known of threads.
 */
int model_stream(struct trace *trace, const struct model_sink *sink, struct model **rest);

/* The same for who only looks: it does not tell what there is less to read than was recorded. */
int model_survey(struct trace *trace, const struct model_sink *sink, struct model **rest);

struct model_builder;

/* The event that comes next is behind the cut, if it is time for one. */
void windows_cut_if_due(struct model_builder *builder);

/* Whether its states are booked by windows_add_state(). */
static inline bool windows_log_states(const struct model_windows *windows)
{
	return windows && windows->sink->state;
}

/* A slice is over that began before the window. */
void windows_add_loose_slice(struct model_builder *builder, int cpu, uint64_t start_ns,
			     uint64_t end_ns, uint32_t thread, enum thread_state end_state);

/* The thread's next state begins. */
void windows_add_state(struct model_builder *builder, uint32_t thread, const struct state_row *row);

/* To be called when the model is complete: the last window, and the rest in the model's columns. */
void windows_finish(struct model_builder *builder);

/*
 * Divides a whole @model as if it had come in windows that end at @cuts_ns, in ascending order; its
 * columns are those of the rest then. Each thread's last state ends with the trace.
 */
void model_divide(struct model *model, const uint64_t *cuts_ns, size_t nr_cuts,
		  const struct model_sink *sink);

#endif /* ANNOT_MODEL_WINDOW_H */
