/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps in the trace which files the recorded processes mapped, so that the addresses of samples can
 * be named when the processes are gone: a line in trace_marker for each, see trace/decode/mapping_line.h.
 */
#ifndef ANNOT_RECORD_LOG_MMAP_LOG_H
#define ANNOT_RECORD_LOG_MMAP_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/log/perf_mmap.h"

struct mmap_log;
struct tracefs_instance;

/* Whose mappings are written. */
enum mmap_log_scope {
	MMAP_LOG_CHILDREN, /* of this thread, those to be */
	MMAP_LOG_PROCESS, /* what it has mapped; and what anybody maps from now on */
	MMAP_LOG_ALL,
};

/*
 * Begins, and writes what is mapped already. Returns NULL after a warning on stderr when it cannot
 * be done: then samples of user code have no names.
 */
struct mmap_log *mmap_log_open(struct tracefs_instance *instance, enum mmap_log_scope of,
			       pid_t pid);

/* poll() it; when it is readable, or now and then, mmap_log_write(). */
int mmap_log_fd(const struct mmap_log *log);
void mmap_log_write(struct mmap_log *log);

/* Writes the rest, tells what is missing, and frees. @log may be NULL. */
void mmap_log_close(struct mmap_log *log);

/*
 * The line for @mapping, told at @now_ns; returns its length, or 0 if it is longer than trace_marker
 * takes (or @size).
 */
size_t mmap_log_format(char *line, size_t size, const struct mapping *mapping, uint64_t now_ns);

/*
 * Reads a line of /proc/PID/maps, whose end it cuts off; the path points into it. False: it is not
 * of something that is executed.
 */
bool mmap_log_parse_maps(char *line, struct mapping *mapping);

#endif /* ANNOT_RECORD_LOG_MMAP_LOG_H */
