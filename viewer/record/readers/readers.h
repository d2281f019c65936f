/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a buffer while it is recorded: for each CPU, a thread reads pages from trace_pipe_raw, and
 * another one writes them to that CPU's file. What lies in between may grow, for a file system may make
 * who writes wait for seconds. Threads come before what they record,
 * where that is allowed, but never have a CPU for more than half of the time.
 */
#ifndef ANNOT_RECORD_READERS_READERS_H
#define ANNOT_RECORD_READERS_READERS_H

#include <stdbool.h>
#include <stdint.h>

#include "record/readers/cpu_files.h"

struct readers;

/*
 * Starts to read the buffer in directory @dir into @files, which must stay, and waits until all
 * threads run. Returns NULL after one line on stderr.
 */
struct readers *readers_start(const char *dir, const struct cpu_files *files, uint32_t page_bytes);

/* poll() it: readable when a thread has failed, and reads no more. */
int readers_failure_fd(const struct readers *readers);

/*
 * Once tracing is off: reads what is left, and ends. Returns 0, or -1 after one line on stderr: what
 * was read until then is in the files.
 */
int readers_finish(struct readers *readers);

/*
 * Instead of readers that were killed: reads what is left of the buffer. What they had in their
 * hands is lost, and marked as such in the trace. Returns 0, or -1 after one line on stderr.
 */
int readers_take_over(const char *dir, const struct cpu_files *files, uint32_t page_bytes);

#endif /* ANNOT_RECORD_READERS_READERS_H */
