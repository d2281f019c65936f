/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines that annot itself writes to the trace_marker of its buffer.
 */
#ifndef ANNOT_RECORD_BUFFER_MARKER_H
#define ANNOT_RECORD_BUFFER_MARKER_H

#include <sys/types.h>

struct tracefs_instance;

/* Kernels before 6.9 truncate writes of more than 1 KiB. */
#define MARKER_LINE_MAX_BYTES 1000

/* Writes @line, of at most MARKER_LINE_MAX_BYTES. Errors are ignored. */
void marker_write(struct tracefs_instance *instance, const char *line);

/*
 * Writes into the trace that the calling thread becomes the recorded command. If that fails, the
 * report must guess it.
 */
void marker_write_session(struct tracefs_instance *instance);

/* Writes into the trace that thread @tid of a running process is recorded. */
void marker_write_session_of(struct tracefs_instance *instance, pid_t tgid, pid_t tid);

#endif /* ANNOT_RECORD_BUFFER_MARKER_H */
