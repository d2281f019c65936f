/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is left of a CPU's buffer when tracing is off: also the page that is not full, which splice()
 * does not give.
 */
#ifndef ANNOT_RECORD_READERS_DRAIN_H
#define ANNOT_RECORD_READERS_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file that a CPU's buffer is read from; -errno: it cannot be. */
int drain_open_pipe(const char *dir, int cpu);

/* Returns 0, or the errno of what failed. */
int drain_write(int fd, const unsigned char *bytes, size_t size);

/*
 * When tracing is off: reads it to its end into @file_fd. With @has_gap, events are missing before the first page, and
 * this page will tell so. Returns 0, or the errno of what failed.
 */
int drain_rest(int pipe_fd, int file_fd, uint32_t page_bytes, bool has_gap);

#endif /* ANNOT_RECORD_READERS_DRAIN_H */
