/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What annot itself leaves in a recording: lines in the trace_marker of its buffer.
 */
#ifndef ANNOT_RECORD_BUFFER_MARKER_H
#define ANNOT_RECORD_BUFFER_MARKER_H

#include <sys/types.h>

struct tracefs_instance;

/* Kernels before 6.9 cut off what is longer than 1 KiB. */
#define MARKER_LINE_MAX_BYTES 1000

/* Writes @line, of at most MARKER_LINE_MAX_BYTES; whether that went well is not told. */
void marker_write(struct tracefs_instance *instance, const char *line);

/*
 * Leaves in the trace that the calling thread becomes the recorded command. Only the report suffers
 * if that fails: it must guess.
 */
void marker_write_session(struct tracefs_instance *instance);

/* The same of thread @tid of a process that runs already. */
void marker_write_session_of(struct tracefs_instance *instance, pid_t tgid, pid_t tid);

#endif /* ANNOT_RECORD_BUFFER_MARKER_H */
