/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All events of a trace, of any kind, in the order of time, each with its text.
 */
#ifndef ANNOT_EVENTS_EVENT_LIST_H
#define ANNOT_EVENTS_EVENT_LIST_H

#include "events/event_filter.h"
#include "trace/trace.h"

/* What to keep. */
struct event_query {
	const struct event_filter *filter;
	struct event_printer
		*printer; /* NULL: rows have no text, and the filter has no conditions */
	uint64_t from_ns; /* on the trace's clock */
	uint64_t to_ns;
	const bool *cpus; /* CPUS_MAX of them; NULL: all */
	/* Asked about the running thread of each event until to_ns; NULL: all. */
	bool (*takes_thread)(void *context, int32_t tid, const char *comm);
	void *context; /* of takes_thread() */
};

/* An event, or a loss. Strings are valid during the call that gets it, comm and buffer until trace_close(). */
struct event_list_row {
	uint64_t time_ns;
	int cpu;
	bool is_loss;
	const char *buffer; /* of the tracing instance; "": the top one */
	/* Of an event: */
	uint16_t type;
	int32_t tid; /* the running thread */
	const char *comm;
	const char *
		text; /* one line, which may have any bytes above 127; NULL: it cannot be printed, or is not asked for */
	/* Of a loss: */
	uint64_t since_ns;
	uint64_t nr_lost; /* 0: not known */
};

/* Returns false to stop. */
typedef bool event_row_fn(void *context, const struct event_list_row *row);

/* Reads @trace, of which nothing was read before, to its end. Returns 0, or -1 after one line on stderr if it is damaged. */
int event_list_read(struct trace *trace, const struct event_query *query, event_row_fn *on_row,
		    void *context);

#endif /* ANNOT_EVENTS_EVENT_LIST_H */
