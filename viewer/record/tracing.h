/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's tracing directory (tracefs), its top buffer: may we use it, is it on, how full is
 * it, what did it lose. What is enabled in it is trace-cmd's business.
 */
#ifndef ANNOT_RECORD_TRACING_H
#define ANNOT_RECORD_TRACING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tracing {
	int on_fd; /* tracing_on; locked, so that two of us do not record at once */
	bool was_on;
	long buffer_kb_before; /* per CPU; 0: not known, or not the same on all */
	char *clock_before; /* NULL: not known */
};

struct tracing_stats {
	uint64_t lost_events; /* on all CPUs */
	int fill_percent; /* of the fullest CPU's buffer */
	int fullest_cpu;
};

/* One CPU's figures, as per_cpu/cpuN/stats prints them. */
struct tracing_cpu_stats {
	uint64_t lost_events;
	uint64_t unread_bytes;
};

/*
 * Finds the tracing directory and checks that all that a recording writes to may be written.
 * Returns -1 after one line on stderr that names the privilege which is missing, or what is
 * mounted wrongly. tracing_close() puts the state found here back.
 */
int tracing_open(struct tracing *tracing);
void tracing_close(struct tracing *tracing);

bool tracing_is_on(const struct tracing *tracing);
void tracing_off(const struct tracing *tracing);

/*
 * Disables the events of annotations, which makes the module write out what programs still have in
 * their rings: only then has the recording all that was annotated before its end.
 */
void tracing_end_annotations(void);

/* Disables every event: for when trace-cmd died and could not. */
void tracing_disable_events(void);

/* Is any event enabled? Then somebody else is tracing, too. */
bool tracing_in_use(void);

bool tracing_has_system(const char *system);

/* @event: "SYSTEM/NAME" */
bool tracing_has_event(const char *event);

/* Is @clock one that the kernel offers? If not, one line on stderr lists them. */
bool tracing_has_clock(const char *clock);

/* The size of each CPU's buffer now; 0: not known. */
long tracing_buffer_kb(void);

/* The state of all buffers now. */
void tracing_read_stats(struct tracing_stats *stats);

/* Writes @line, of at most 1000 bytes, into trace_marker; whether that went well is not told. */
void tracing_mark(const char *line);

/*
 * Leaves in the trace that the calling thread becomes the recorded command. Only the report suffers
 * if that fails: it must guess.
 */
void tracing_mark_session(void);

/* The same of thread @tid of a process that runs already. */
void tracing_mark_session_of(pid_t tgid, pid_t tid);

/* Reads what stands in a stats file; what is missing from it counts as 0. */
void tracing_parse_stats(const char *text, struct tracing_cpu_stats *stats);

/* Reads what stands in buffer_size_kb: "1408", "7 (expanded: 1408)"; 0: "X" or not understood. */
long tracing_parse_buffer_kb(const char *text);

#endif /* ANNOT_RECORD_TRACING_H */
