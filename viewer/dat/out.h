/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file that is being written, and how far it is. What stands before its position is whole.
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
	uint64_t at; /* where is written next */
	bool has_failed; /* which has been told */
	bool fails_late; /* a full disk shows when the file is flushed only: a network's file system */
};

/* Creates the file, or empties it. Returns 0, or -1 after one line on stderr. */
int dat_out_open(struct dat_out *out, const char *path);

/*
 * Cuts off what is behind the position, given up or not used, and closes. Returns 0, or -1 after one
 * line on stderr.
 */
int dat_out_close(struct dat_out *out);

/* Writes all at the position and moves it on; or neither, and -1 after one line on stderr. */
int dat_out_write(struct dat_out *out, const void *data, size_t size);
int dat_out_write_bytes(struct dat_out *out, const struct dat_bytes *bytes);

/* Writes all elsewhere: into what was written before. */
int dat_out_write_at(struct dat_out *out, uint64_t at, const void *data, size_t size);

/* Moves on to the next multiple of @alignment; between are zeros. */
void dat_out_align(struct dat_out *out, uint32_t alignment);
uint64_t dat_aligned(uint64_t at, uint32_t alignment);

/* Has the file system keep room for so many bytes behind the position, if it can. */
void dat_out_reserve(const struct dat_out *out, uint64_t bytes);

/* What was written until now is on the disk or, behind -1 and one line on stderr, maybe not. */
int dat_out_sync(struct dat_out *out);

/* One line on stderr: why writing failed first, by errno. Returns -1. */
int dat_out_failed(struct dat_out *out);

#endif /* ANNOT_DAT_OUT_H */
