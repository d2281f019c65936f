/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A part of a timeline: of a stretch of its time, and of some of its threads and CPUs. It looks as a
 * trace that begins and ends in the middle of things, and has these threads only; times are since
 * the part begins. Threads keep their order.
 *
 * What crosses an edge is cut there: a slice that goes on then is still on at its end, a span has no
 * end. Slice counts cannot be cut and are left out; so are the totals of what CPUs counted in all.
 * Threads of which nothing is known in that time are left out, too.
 */
#ifndef ANNOT_MODEL_FILTER_H
#define ANNOT_MODEL_FILTER_H

#include "model/window.h"

/* A point in time, as users give it. */
struct filter_time {
	const char *text; /* NULL: not given */
	bool since_start; /* of the trace; else on its clock */
	uint64_t ns;
};

#define FILTER_MAX_CPUS 8192

/* What to keep. Lists have commas in between; NULL: all. */
struct model_filter {
	struct filter_time from;
	struct filter_time to;
	const char *threads; /* tids and names */
	const char *tasks; /* threads with spans of these names */
	const bool *cpus; /* FILTER_MAX_CPUS of them, and threads that ran there */
};

/*
 * "5000.25" (seconds), "+1.5s", "+200ms", "+7us", "+7ns" (since the trace's start). Returns false if
 * it is none.
 */
bool filter_time_parse(struct filter_time *time, const char *text);

struct selection;

/*
 * Finds out, by reading the trace @path once, what @filter keeps of it. Returns 0 and the selection
 * in @out, which selection_free() frees; or -1 after one line on stderr: nothing is kept, and which
 * option is the reason, or the trace is damaged. @progress is that of a sink.
 */
int selection_new(const char *path, const struct model_filter *filter,
		  void (*progress)(uint64_t to_ns), struct selection **out);
void selection_free(struct selection *selection);

uint64_t selection_duration_ns(const struct selection *selection);

/*
 * As model_stream() of the same trace, with what is kept of it. The @selection can be used once.
 */
int selection_stream(struct selection *selection, struct trace *trace,
		     const struct model_sink *sink, struct model **rest);

/* Replaces a whole model of the same trace by what is kept of it. */
void selection_take(struct selection *selection, struct model **model);

/* As model_build() of the same trace. */
int selection_build(struct selection *selection, struct trace *trace, struct model **out);

#endif /* ANNOT_MODEL_FILTER_H */
