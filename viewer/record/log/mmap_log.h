/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes into the trace which files the recorded processes mapped, so that addresses of samples can
 * be resolved after the processes have ended. Each mapping is a line in trace_marker; see
 * trace/lines/mapping_line.h.
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
	MMAP_LOG_CHILDREN, /* future children of this thread */
	MMAP_LOG_PROCESS, /* current mappings of the process, and new mappings of all processes */
	MMAP_LOG_ALL,
};

/* Somebody else who is to hear of each mapping, at once. */
struct mmap_log_listener {
	perf_mmap_handler hear; /* NULL: nobody */
	void *context;
};

/*
 * Starts, and writes the current mappings. @with_data: also heaps, first threads' stacks and mapped data files, as
 * far as they are mapped from now on; and, now and then, in which pages the memory of these processes is
 * (record/log/pages_log.h), of MMAP_LOG_PROCESS only that of @pid. Returns NULL after a warning on stderr on failure:
 * samples of user code then have no names.
 */
struct mmap_log *mmap_log_open(struct tracefs_instance *instance, enum mmap_log_scope of, pid_t pid,
			       bool with_data, struct mmap_log_listener listener);

/* Poll this. Call mmap_log_write() when it is readable, and now and then. */
int mmap_log_fd(const struct mmap_log *log);
void mmap_log_write(struct mmap_log *log);

/* In how many seconds mmap_log_write() is to be called at the latest; INFINITY: now and then. */
double mmap_log_wait_s(const struct mmap_log *log);

/* Writes the rest, reports lost mappings, and frees. @log may be NULL. */
void mmap_log_close(struct mmap_log *log);

/*
 * Formats the line for @mapping, written at @now_ns. Returns its length, or 0 if it is longer than
 * trace_marker or @size allows.
 */
size_t mmap_log_format(char *line, size_t size, const struct mapping *mapping, uint64_t now_ns);

/*
 * Parses a line of /proc/PID/maps. Modifies the line; mapping->path points into it. Returns false
 * if the mapping is not executable.
 */
bool mmap_log_parse_maps(char *line, struct mapping *mapping);

#endif /* ANNOT_RECORD_LOG_MMAP_LOG_H */
