/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps in the trace which files the recorded processes mapped, so that the addresses of samples can
 * be named when the processes are gone: a line in trace_marker for each, see trace/mapping.h.
 */
#ifndef ANNOT_RECORD_MAPPER_H
#define ANNOT_RECORD_MAPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/log/perf_mmap.h"

struct mapper;
struct tracefs_instance;

/* Whose mappings are written. */
enum mapper_of {
	MAPPER_OF_CHILDREN, /* of this thread, those to be */
	MAPPER_OF_PROCESS, /* what it has mapped; and what anybody maps from now on */
	MAPPER_OF_ALL,
};

/*
 * Begins, and writes what is mapped already. Returns NULL after a warning on stderr when it cannot
 * be done: then samples of user code have no names.
 */
struct mapper *mapper_open(struct tracefs_instance *instance, enum mapper_of of, pid_t pid);

/* poll() it; when it is readable, or now and then, mapper_write(). */
int mapper_fd(const struct mapper *mapper);
void mapper_write(struct mapper *mapper);

/* Writes the rest, tells what is missing, and frees. @mapper may be NULL. */
void mapper_close(struct mapper *mapper);

/*
 * The line for @mapping, told at @now_ns; returns its length, or 0 if it is longer than trace_marker
 * takes (or @size).
 */
size_t mapper_format(char *line, size_t size, const struct mapping *mapping, uint64_t now_ns);

/*
 * Reads a line of /proc/PID/maps, whose end it cuts off; the path points into it. False: it is not
 * of something that is executed.
 */
bool mapper_parse_maps(char *line, struct mapping *mapping);

#endif /* ANNOT_RECORD_MAPPER_H */
