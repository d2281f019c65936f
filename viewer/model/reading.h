/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a trace into a model: all at once, or in windows.
 */
#ifndef ANNOT_MODEL_READING_H
#define ANNOT_MODEL_READING_H

#include <pthread.h>

#include "model/model.h"

struct model_sink;

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

struct kept_model {
	struct model *whole; /* as model_build() makes it; NULL: there were too many events */
	struct model *rest; /* it shares some tables with the whole one */
	uint64_t read_ns; /* how far the trace was read when there were too many */
	bool is_ending; /* kept_model_end_rows() */
	pthread_t ender;
};

/*
 * Like model_stream(), and the rows of all windows stay in memory. If there are more than @most_events, as model_build_again()
 * counts them, and not only in the last window, none stay. The sink has state(). kept_model_free() frees both models.
 */
int model_stream_kept(struct trace *trace, const struct model_sink *sink, uint64_t most_events,
		      struct kept_model *out);
void kept_model_free(struct kept_model *kept);

/*
 * States, slices and wakeups of the whole model are needed no more. On two and more cores another thread frees them: that takes the
 * kernel a while where they are in a file. kept_model_free() waits for it.
 */
void kept_model_end_rows(struct kept_model *kept);

/* Like model_stream(), but without the messages on stderr about what is missing in the trace. */
int model_survey(struct trace *trace, const struct model_sink *sink, struct model **rest);

#endif /* ANNOT_MODEL_READING_H */
