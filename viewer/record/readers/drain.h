/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the rest of a CPU's buffer when tracing is off. This includes the partial page, which
 * splice() does not return.
 */
#ifndef ANNOT_RECORD_READERS_DRAIN_H
#define ANNOT_RECORD_READERS_DRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens the file that a CPU's buffer is read from. Returns a descriptor or -errno. */
int drain_open_pipe(const char *dir, int cpu);

/* Returns 0, or an errno. */
int drain_write(int fd, const unsigned char *bytes, size_t size);

/*
 * Reads the buffer to its end into @file_fd. Tracing must be off. With @has_gap, events are missing
 * before the first page, and the page is marked so. Returns 0, or an errno.
 */
int drain_rest(int pipe_fd, int file_fd, uint32_t page_bytes, bool has_gap);

#endif /* ANNOT_RECORD_READERS_DRAIN_H */
