/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of threads, as they are known while a trace is read.
 */
#ifndef ANNOT_EVENTS_THREAD_NAMES_H
#define ANNOT_EVENTS_THREAD_NAMES_H

#include <stddef.h>

#include "trace/trace.h"

/* Zero-initialise. */
struct thread_names {
	uint32_t *comm; /* by tid; TRACE_NO_STRING: not known */
	size_t nr;
};

/* Those that the file tells, as they were at its end. Returns -1 after one line on stderr if it is damaged. */
int thread_names_read(struct thread_names *names, struct trace *trace);
void thread_names_free(struct thread_names *names);

/* Takes what an event that trace_decode_comms() decoded says of the time after it. */
void thread_names_note(struct thread_names *names, const struct trace_event *event);

/* "<idle>" of 0, "<...>" if it is not known, as trace-cmd prints them. */
const char *thread_names_get(const struct thread_names *names, const struct trace *trace,
			     int32_t tid);

#endif /* ANNOT_EVENTS_THREAD_NAMES_H */
