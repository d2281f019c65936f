/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a buffer during a recording. For each CPU, one thread reads pages from trace_pipe_raw, and
 * another one writes them to that CPU's file. The queue between them may grow: a file system may
 * block the writer for seconds. Where permitted, the threads have a higher priority than the
 * recorded programs, but they never use a CPU for more than half of the time.
 */
#ifndef ANNOT_RECORD_READERS_READERS_H
#define ANNOT_RECORD_READERS_READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/readers/cpu_files.h"

struct readers;

/*
 * Starts to read the buffer in directory @dir into @files, which must outlive it, and waits until
 * all threads run. Returns NULL after one line on stderr.
 */
struct readers *readers_start(const char *dir, const struct cpu_files *files, uint32_t page_bytes);

/* Poll this: readable when a thread has failed and stopped. */
int readers_failure_fd(const struct readers *readers);

/*
 * Reads the rest and ends. Tracing must be off. Returns 0, or -1 after one line on stderr: what was
 * read until then is in the files.
 */
int readers_finish(struct readers *readers);

/*
 * Reads the rest of the buffer after the readers were killed. Pages that they had not written are
 * lost, and the trace is marked so. Returns 0, or -1 after one line on stderr.
 */
int readers_take_over(const char *dir, const struct cpu_files *files, uint32_t page_bytes);

#endif /* ANNOT_RECORD_READERS_READERS_H */
