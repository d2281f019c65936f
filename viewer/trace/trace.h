/* SPDX-License-Identifier: GPL-2.0 */
/*
 * File -> events. This is the only interface between trace.dat and the rest of the viewer: only the
 * code below it knows the file format, only the code above it interprets the events.
 *
 * A trace is read once, forward. trace_next() returns the events of all CPUs and buffers, merged in
 * time order; at equal times, the lower CPU is first. Events of the kinds in event.h are decoded.
 * Others tell their type and the running thread; print/ prints them.
 *
 * Names (comms, span names, ...) are interned: equal strings have equal ids. An id is valid for the
 * life of the trace. TRACE_NO_STRING (0) is "none".
 *
 * Not thread-safe: one thread per struct trace. On two and more cores, a thread of its own reads and decodes ahead (record_ahead.h);
 * events and ids are the same.
 */
#ifndef ANNOT_TRACE_TRACE_H
#define ANNOT_TRACE_TRACE_H

#include "trace/event.h"

struct trace;

/* Known after trace_open(); the counts are complete after trace_next() returned 0. */
struct trace_info {
	const char *path;
	const char *clock; /* "mono", "local", ...; "unknown" when the file does not say */
	const char *machine; /* "x86_64", ...; "" when the file does not say */
	int nr_cpus; /* one more than the highest CPU that has a buffer */
	int nr_buffers; /* of tracing instances, the top one included, without those left out */
	int nr_buffers_left_out; /* buffers of instances that have events, but another clock */
	uint64_t nr_events; /* read so far, of any kind, including repeats in other buffers */
	uint64_t nr_lost_events; /* so far, where the kernel counted them */
	uint64_t nr_lost_gaps; /* intervals with losses so far, counted or not */
	struct trace_annotation_counts annotations;
	uint64_t nr_damaged[NR_TRACE_DAMAGES]; /* so far */
	uint64_t next_recording; /* offset of a further recording in the file; 0: there is none */
	bool truncated; /* the file ends early; its complete parts are read */
	bool cpus_guessed; /* the file ends before it says which data belong to which CPU: that is guessed */
};

/*
 * Opens @path and reads its head. Returns 0 and the trace in @out; free it with trace_close().
 * Returns -1 after one line on stderr that names the file and the problem (cannot be opened, not a
 * trace.dat, cut off in its head, no buffers).
 */
int trace_open(const char *path, struct trace **out);
void trace_close(struct trace *trace);

/*
 * From now on the names of annotations are what @resolve makes of them. It is asked once for each.
 * @context must outlive the trace. Call before the first trace_next().
 */
void trace_use_name_resolver(struct trace *trace, trace_name_resolver *resolve, void *context);

/* The same of the kernel's stacks. Without it, they have no cause. */
void trace_use_stack_resolver(struct trace *trace, trace_stack_resolver *resolve, void *context);

/* Opens the file of @trace once more, at its start, with the same resolvers. */
int trace_reopen(const struct trace *trace, struct trace **out);

/*
 * Times of the first and the last event, without reading the events in between. Call before the
 * first trace_next(). If a clock stepped back, trace_next() may return later times. Returns 0, or
 * -1 silently if the times cannot be found.
 */
int trace_time_range(struct trace *trace, uint64_t *first_ns, uint64_t *last_ns);

/* The time between the two; 0 if they cannot be found. */
uint64_t trace_duration_ns(struct trace *trace);

/* Whether @cpu has any event, of any kind. Call before the first trace_next(). */
bool trace_has_cpu(const struct trace *trace, int cpu);

/* Estimates the number of events from the size of the file. */
uint64_t trace_guess_events(const struct trace *trace);

/*
 * Reads the next event in time order into @event. Returns 1; 0 at the end; -1 after one line on
 * stderr if the file is too damaged to continue.
 */
int trace_next(struct trace *trace, struct trace_event *event);

/* A record of the file, of a type that trace_event_name() names. */
struct trace_record {
	uint16_t type;
	const char *buffer; /* of the tracing instance; "": the top one */
	const uint8_t *data; /* as the kernel wrote it, in the file's byte order */
	uint32_t size;
};

/*
 * The record of the event that trace_next() or trace_next_record() returned last; valid until the
 * next call of these. Returns false if that is no record's: it is a loss; and if trace_next() returned a switch or a wakeup,
 * of which nothing else may be there. All annotations of a batch have the same record.
 */
bool trace_record(const struct trace *trace, struct trace_record *record);

/*
 * As trace_next(), but without decoding: each record that is in the file is one event of kind
 * TRACE_OTHER, or it is a loss. A trace is read by the one or by the other.
 */
int trace_next_record(struct trace *trace, struct trace_event *event);

/*
 * Decodes the record that trace_next_record() returned last into @event if it is a switch, a new thread, a
 * rename or an exec, which name threads. Returns false if it is another one, or damaged.
 */
bool trace_decode_comms(struct trace *trace, struct trace_event *event);

/* The tracing instance of what was returned last, a loss too; "": the top one. Valid until trace_close(). */
const char *trace_buffer_name(const struct trace *trace);

/* "system:event"; "" if the file does not describe the type. Valid until trace_close(). */
const char *trace_event_name(const struct trace *trace, uint16_t type);

/* Valid until trace_close(). Its counts grow while events are read. */
const struct trace_info *trace_info(const struct trace *trace);

/* The string of an id; "" for TRACE_NO_STRING. Valid until trace_close(). */
const char *trace_string(const struct trace *trace, uint32_t id);

/* The id of @string. Interns it if it is new: nobody else may use the trace then, not to read a string either. */
uint32_t trace_intern(struct trace *trace, const char *string);

/* The id of @string; STRING_TABLE_NONE: nothing in the trace is called so. Several threads may ask at once. */
uint32_t trace_find(const struct trace *trace, const char *string);

/*
 * The kernel's symbols at the time of the recording, in the form of /proc/kallsyms; "" if the trace
 * has none. free() it. Returns NULL after one line on stderr if the file is damaged there.
 */
char *trace_kallsyms(struct trace *trace);

/*
 * Names of threads at the end of the recording, in the form of tracefs saved_cmdlines: "TID COMM" lines; ""
 * if the trace has none. free() it. Returns NULL after one line on stderr if the file is damaged there.
 */
char *trace_comms(struct trace *trace);

/*
 * Calls of the kernel so far whose arguments have no text, as more than ARGUMENT_TEXTS_MAX
 * (decode/argument_texts.h) different ones had one before.
 */
uint64_t trace_nr_textless(const struct trace *trace);

/*
 * The call stack of an id. Its frames may come later than the id, and are all there at the end of the trace. Its
 * addresses are valid until the next trace_next().
 */
struct trace_stack trace_stack(const struct trace *trace, uint32_t id);

/* The number of ids so far. All ids are smaller. */
uint32_t trace_nr_stacks(const struct trace *trace);

/* The number of ids so far. All ids are smaller. */
uint32_t trace_nr_strings(const struct trace *trace);

#endif /* ANNOT_TRACE_TRACE_H */
