/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a part of a trace: an interval, and some of the threads and CPUs. The result looks like a
 * trace that was recorded only in this interval and with these threads only. Times count from the
 * start of the interval. Threads keep their order.
 *
 * Rows that cross an edge are cut there: a slice that continues is still running at the end, a span
 * has an open end. Slice counts cannot be divided and are dropped if they cross an edge, and so are
 * the CPUs' totals of counts. Threads whose state is unknown
 * in all of the interval are dropped, too.
 */
#ifndef ANNOT_MODEL_FILTER_H
#define ANNOT_MODEL_FILTER_H

#include "model/window/window.h"

/* A time as the user gave it. */
struct filter_time {
	const char *text; /* NULL: not given */
	bool since_start; /* ns counts from the start of the trace; else it is on the trace's clock */
	uint64_t ns;
};

#define FILTER_MAX_CPUS 8192

/* What to keep. Lists are separated by commas; NULL: all. */
struct model_filter {
	struct filter_time from;
	struct filter_time to;
	const char *threads; /* tids and names */
	const char *tasks; /* threads with spans of these names */
	const bool *cpus; /* FILTER_MAX_CPUS of them, and threads that ran there */
};

/*
 * Parses "5000.25" (seconds), "+1.5s", "+200ms", "+7us", "+7ns" (+: since the trace's start).
 * Returns false if @text is not a time.
 */
bool filter_time_parse(struct filter_time *time, const char *text);

/* How long something takes: "1.5s", "5ms", "7us", "0.5ns". Returns false if @text is none, or has no unit. */
bool filter_duration_parse(double *ns, const char *text);

struct selection;

/*
 * Reads the file of @trace once, from its start, to find what @filter keeps. Returns 0 and the selection in @out; free
 * it with selection_free(). Returns -1 after one line on stderr if the trace is damaged or nothing
 * is kept; the line then names the option that is the reason. @progress: like that of a sink.
 */
int selection_new(const struct trace *trace, const struct model_filter *filter,
		  void (*progress)(uint64_t to_ns), struct selection **out);
void selection_free(struct selection *selection);

uint64_t selection_duration_ns(const struct selection *selection);

/*
 * Like model_stream() of the same trace, for the part that is kept. A selection can be used once.
 */
int selection_stream(struct selection *selection, struct trace *trace,
		     const struct model_sink *sink, struct model **rest);

/* Replaces a whole model of the same trace by the part that is kept. */
void selection_take(struct selection *selection, struct model **model);

/* Like model_build() of the same trace, for the part that is kept. */
int selection_build(struct selection *selection, struct trace *trace, struct model **out);

#endif /* ANNOT_MODEL_FILTER_H */
