/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hands out a trace window by window, so that memory does not grow with the trace.
 *
 * Cuts divide the time of the trace into windows. A window is a model. It has the rows that begin
 * and end in it, its cuts included. The rest is a model, too. It has the rows that cross a cut, and
 * those that came after their window was closed. So each row is in exactly one window or in the
 * rest. Gaps of CPUs and of the PMU, and mappings, are in the rest.
 *
 * In all these models a thread or CPU has the same index, and times count from the trace's start.
 *
 * Where rows are kept, the whole model is there in the end, as model_build() makes it.
 *
 * In a window, the states of a thread follow each other: row i lasts until start_ns[i + 1], and
 * start_ns[nr] is the end of the last row. In the rest they need not, so end_ns has the end of each
 * row.
 *
 * viewer/README.md has an example.
 */
#ifndef ANNOT_MODEL_WINDOW_H
#define ANNOT_MODEL_WINDOW_H

#include "model/model.h"
#include "model/states/state_log.h"
#include "model/states/state_sums.h"
#include "model/window/handed_rows.h"

struct event_source;

/* Events in a window: their rows take some MB. */
#define WINDOW_EVENTS 131072

/*
 * Receives the windows. take() is called with each window, in time order; @from_ns and @to_ns are
 * its cuts. The window is freed after the call. It has no registers of samples. Its threads have
 * only their tables: names and the like are known at the end of the trace, and are in the rest.
 */
struct model_sink {
	void (*take)(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns);
	void *context;
	/*
	 * If not NULL, windows have state deltas (state_delta.h) instead of the states of threads.
	 * That costs less. The time of each state that is in a window, not in the rest, is then
	 * passed to state(): of one thread in time order, of threads in any order.
	 *
	 * Time is divided into steps of @step_ns, a power of two. Rows that lie in one step may
	 * come as one call for each state, with the sum of their lengths.
	 */
	void (*state)(void *context, uint32_t thread, enum thread_state state, uint64_t start_ns,
		      uint64_t end_ns);
	uint64_t step_ns;
	const struct event_source
		*events; /* of rows of events that nothing decodes; NULL: there are none */
	void (*progress)(uint64_t to_ns); /* called after each window, if not NULL */
};

/* A thread's states in the window, while its state delta is made. */
struct window_thread {
	struct state_log log;
	struct state_sums sums;
};

struct model_windows {
	const struct model_sink *sink;
	size_t nr_events_each;
	/* The rows stay in the model, too, which becomes the whole one; the sink has state(). */
	bool keeps;
	bool keeps_no_longer; /* than to the next cut */
	size_t nr_events; /* since the last cut */
	uint64_t from_ns; /* the last cut */
	struct handed_rows handed;
	struct model rest; /* columns only */
	struct model *kept_rest; /* with keeps, in the end: the rest (rest_beside() of rest.h) */
};

struct model_builder;

/* Cuts if the window has enough events. The next event is after the cut. */
void windows_cut_if_due(struct model_builder *builder);

/* The rows that are kept leave after the next cut, and no more are kept. */
void windows_keep_no_longer(struct model_windows *windows);

/* Whether states of threads are added by windows_add_state(). */
static inline bool windows_log_states(const struct model_windows *windows)
{
	return windows && windows->sink->state;
}

/* Adds a slice that began before the window to the rest, when it ends. */
void windows_add_loose_slice(struct model_builder *builder, int cpu, const struct slice_row *row);

/* Adds the thread's next state, when it begins. */
void windows_add_state(struct model_builder *builder, uint32_t thread, const struct state_row *row);

/*
 * Called when the model is complete. Hands out the last window; the model becomes the rest. If rows are kept, it becomes the
 * whole model, but for what is computed of its states.
 */
void windows_finish(struct model_builder *builder);

/*
 * Divides a whole @model into windows that end at @cuts_ns, which ascend. @model becomes the rest.
 * Each thread's last state ends with the trace.
 */
void model_divide(struct model *model, const uint64_t *cuts_ns, size_t nr_cuts,
		  const struct model_sink *sink);

#endif /* ANNOT_MODEL_WINDOW_H */
