/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace through libtracefs: what the kernel offers, and the settings and figures of one of its
 * buffers. That is an instance's, or the top one, which has NULL for its instance.
 */
#ifndef ANNOT_RECORD_BUFFER_TRACING_H
#define ANNOT_RECORD_BUFFER_TRACING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tracefs_instance;

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
 * mounted wrongly.
 */
int tracing_find(void);

bool tracing_has_system(const char *system);

/* @event: "SYSTEM/NAME" */
bool tracing_has_event(const char *event);

/* Is @clock one that the kernel offers? If not, one line on stderr lists them. */
bool tracing_has_clock(const char *clock);

/* Writes @text to @file of the buffer. Returns 0, or the errno of what failed. */
int tracing_write(struct tracefs_instance *instance, const char *file, const char *text);

/* What stands in @file, without the final newline; freed by the caller. NULL: cannot be read. */
char *tracing_read(struct tracefs_instance *instance, const char *file);

bool tracing_is_on(struct tracefs_instance *instance);
void tracing_on(struct tracefs_instance *instance);
void tracing_off(struct tracefs_instance *instance);

/*
 * Sets the clock, and buffers of @buffer_kb on each CPU; 0: of tracing_default_buffer_kb(). Short of
 * memory, they are smaller, behind a warning. Returns 0, or -1 after one line on stderr.
 */
int tracing_set_up(struct tracefs_instance *instance, const char *clock, long buffer_kb);

/* For each CPU, if all together take one @share of the memory that is available; LONG_MAX: not known. */
long tracing_memory_kb(long share);

/* On each CPU, if nothing else is asked for: as memory allows. */
long tracing_default_buffer_kb(void);

/* The size of each CPU's buffer now; 0: not known, or not the same on all. */
long tracing_buffer_kb(struct tracefs_instance *instance);

/*
 * Disables the events of annotations, which makes the module write out what programs still have in
 * their rings: only then has the recording all that was annotated before its end.
 */
void tracing_end_annotations(struct tracefs_instance *instance);

/* The state of a buffer on all CPUs now. */
void tracing_read_stats(struct tracefs_instance *instance, struct tracing_stats *stats);

/* What its per_cpu/cpuN/stats has; freed by the caller. NULL: cannot be read. */
char *tracing_read_cpu_stats(struct tracefs_instance *instance, int cpu);

/* Reads what stands in a stats file; what is missing from it counts as 0. */
void tracing_parse_stats(const char *text, struct tracing_cpu_stats *stats);

/* Reads what stands in buffer_size_kb: "1408", "7 (expanded: 1408)"; 0: "X" or not understood. */
long tracing_parse_buffer_kb(const char *text);

#endif /* ANNOT_RECORD_BUFFER_TRACING_H */
