/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace through libtracefs: what the kernel offers, and the settings and figures of a buffer. The
 * top buffer has NULL for its instance.
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
 * Finds the tracing directory and checks that a recording may write to its files. Returns -1 after
 * one line on stderr that names the missing privilege or the wrong mount.
 */
int tracing_find(void);

bool tracing_has_system(const char *system);

/* @event: "SYSTEM/NAME" */
bool tracing_has_event(const char *event);

/* The number by which perf knows it; -1: it cannot be read. */
int tracing_event_id(const char *system, const char *name);

/* Whether the kernel has @clock. If not, one line on stderr lists the clocks. */
bool tracing_has_clock(const char *clock);

/* Writes @text to @file of the buffer. Returns 0, or an errno. */
int tracing_write(struct tracefs_instance *instance, const char *file, const char *text);

/* The contents of @file without the final newline; free() it. NULL: cannot be read. */
char *tracing_read(struct tracefs_instance *instance, const char *file);

bool tracing_is_on(struct tracefs_instance *instance);
void tracing_on(struct tracefs_instance *instance);
void tracing_off(struct tracefs_instance *instance);

/*
 * Sets the clock and the size of the buffers, @buffer_kb for each CPU; 0:
 * tracing_default_buffer_kb(). If memory is short, they are smaller, with a warning. Returns 0, or
 * -1 after one line on stderr.
 */
int tracing_set_up(struct tracefs_instance *instance, const char *clock, long buffer_kb);

/*
 * The size for each CPU if all CPUs together use one @share-th of the available memory; LONG_MAX:
 * not known.
 */
long tracing_memory_kb(long share);

/* The default size for each CPU: depends on memory. */
long tracing_default_buffer_kb(void);

/* The current size for each CPU; 0: not known, or not equal. */
long tracing_buffer_kb(struct tracefs_instance *instance);

/*
 * Disables the events of annotations. The module then writes out the annotations that are still in
 * programs' rings, so that the recording has all annotations up to its end.
 */
void tracing_end_annotations(struct tracefs_instance *instance);

/* The current state of a buffer on all CPUs. */
void tracing_read_stats(struct tracefs_instance *instance, struct tracing_stats *stats);

/* The contents of per_cpu/cpuN/stats; free() it. NULL: cannot be read. */
char *tracing_read_cpu_stats(struct tracefs_instance *instance, int cpu);

/* Parses the text of a stats file; missing figures are 0. */
void tracing_parse_stats(const char *text, struct tracing_cpu_stats *stats);

/* Parses buffer_size_kb: "1408", "7 (expanded: 1408)"; 0: "X" or not understood. */
long tracing_parse_buffer_kb(const char *text);

#endif /* ANNOT_RECORD_BUFFER_TRACING_H */
