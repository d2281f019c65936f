/* SPDX-License-Identifier: GPL-2.0 */
/*
 * File -> events. The narrow interface between a trace.dat and everything above it: what a trace
 * file looks like is known below this line only, what its events mean above it only.
 *
 * A trace is read once, forward. trace_next() hands out the events of all CPUs merged in time
 * order (ties: lower CPU first), those of all buffers, already translated into the kinds below; events of other kinds
 * tell but who ran.
 *
 * Names (comms, span names, ...) are interned: equal strings have equal ids, an id stays valid
 * for the life of the trace, and TRACE_NO_STRING (0) is "none".
 *
 * Not thread-safe: one thread per struct trace.
 */
#ifndef ANNOT_TRACE_TRACE_H
#define ANNOT_TRACE_TRACE_H

#include "trace/event.h"

struct trace;

/* What is known once the file is open, and (the counts) once trace_next() has returned 0. */
struct trace_info {
	const char *path;
	const char *clock; /* "mono", "local", ...; "unknown" when the file does not say */
	const char *machine; /* "x86_64", ...; "" when the file does not say */
	int nr_cpus; /* one more than the highest CPU that has a buffer */
	int nr_buffers_left_out; /* of instances: they hold events, but have another clock */
	uint64_t nr_events; /* read so far, of whatever kind; again where a buffer repeats them */
	uint64_t nr_lost_events; /* so far, where counted */
	uint64_t nr_lost_gaps; /* so far, counted or not */
	struct trace_annotation_counts annotations;
	uint64_t nr_damaged[NR_TRACE_DAMAGES]; /* so far */
	uint64_t next_recording; /* offset of another one, behind what is read; 0: there is none */
	bool truncated; /* the file ends early: what is whole was read */
	bool cpus_guessed; /* so early that which CPU's data are where is but likely */
};

/*
 * Opens @path and reads its head. Returns 0 and the trace in @out, which trace_close() frees; or
 * -1 after one line on stderr that names the file and what is wrong with it (cannot be opened,
 * not a trace.dat, cut short in its head, no buffers).
 */
int trace_open(const char *path, struct trace **out);
void trace_close(struct trace *trace);

/*
 * The times of the first and of the last event, of whatever kind, as far as that can be told without
 * reading what is between them; for use before the first trace_next(). Where a clock stepped back,
 * events may be handed out with later times. Returns 0, or -1 silently when it cannot be told.
 */
int trace_time_range(struct trace *trace, uint64_t *first_ns, uint64_t *last_ns);

/* Whether there is any event, of whatever kind, of @cpu; for use before the first trace_next(). */
bool trace_has_cpu(const struct trace *trace, int cpu);

/* About how many events there are, guessed from the file's size. */
uint64_t trace_guess_events(const struct trace *trace);

/*
 * The next event in time order. Returns 1 and fills @event, 0 at the end, -1 after one line on
 * stderr when the file is damaged beyond what can be passed over.
 */
int trace_next(struct trace *trace, struct trace_event *event);

/* Valid until trace_close(); the counts in it grow while events are read. */
const struct trace_info *trace_info(const struct trace *trace);

/* The string of an id; "" for TRACE_NO_STRING. Valid until trace_close(). */
const char *trace_string(const struct trace *trace, uint32_t id);

/* The id of @string, which is made if there is none yet. */
uint32_t trace_intern(struct trace *trace, const char *string);

/*
 * The kernel's symbols, in the form of /proc/kallsyms, as they were when it was recorded; "" if the
 * trace has none. free() it. NULL after one line on stderr: the file is damaged there.
 */
char *trace_kallsyms(struct trace *trace);

/* The number of ids given out so far: each id is smaller. */
uint32_t trace_nr_strings(const struct trace *trace);

#endif /* ANNOT_TRACE_TRACE_H */
