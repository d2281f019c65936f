/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The output file and the position in it. All before the position is complete.
 */
#ifndef ANNOT_DAT_OUT_H
#define ANNOT_DAT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dat/bytes.h"

struct dat_out {
	int fd;
	const char *path; /* the caller's */
	uint64_t at; /* position of the next write */
	bool has_failed; /* and has been reported */
	bool fails_late; /* a network file system: a full disk is reported only when the file is flushed */
};

/* Creates the file, or empties it. Returns 0, or -1 after one line on stderr. */
int dat_out_open(struct dat_out *out, const char *path);

/* Truncates the file at the position, and closes it. Returns 0, or -1 after one line on stderr. */
int dat_out_close(struct dat_out *out);

/*
 * Writes all at the position and advances it. On failure the position stays, and it returns -1
 * after one line on stderr.
 */
int dat_out_write(struct dat_out *out, const void *data, size_t size);
int dat_out_write_bytes(struct dat_out *out, const struct dat_bytes *bytes);

/* Overwrites earlier bytes at @at. */
int dat_out_write_at(struct dat_out *out, uint64_t at, const void *data, size_t size);

/* Advances to the next multiple of @alignment, filling with zeros. */
void dat_out_align(struct dat_out *out, uint32_t alignment);
uint64_t dat_aligned(uint64_t at, uint32_t alignment);

/* Lets the file system reserve this many bytes after the position, if it can. */
void dat_out_reserve(const struct dat_out *out, uint64_t bytes);

/* Flushes the file to the disk. Returns 0, or -1 after one line on stderr. */
int dat_out_sync(struct dat_out *out);

/* One line on stderr: why writing failed first, by errno. Returns -1. */
int dat_out_failed(struct dat_out *out);

#endif /* ANNOT_DAT_OUT_H */
