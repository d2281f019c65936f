/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A byte buffer for parts of a trace.dat. Numbers are in the byte order of this machine. Running
 * out of memory ends the process, as in util/xalloc.h.
 */
#ifndef ANNOT_DAT_BYTES_H
#define ANNOT_DAT_BYTES_H

#include <stddef.h>
#include <stdint.h>

struct dat_bytes {
	uint8_t *data;
	size_t size;
	size_t capacity;
};

void dat_bytes_free(struct dat_bytes *bytes);

/* Makes room for @more bytes at the end. */
void dat_bytes_need(struct dat_bytes *bytes, size_t more);

void dat_bytes_add(struct dat_bytes *bytes, const void *data, size_t size);
void dat_bytes_add_u8(struct dat_bytes *bytes, uint8_t value);
void dat_bytes_add_u16(struct dat_bytes *bytes, uint16_t value);
void dat_bytes_add_u32(struct dat_bytes *bytes, uint32_t value);
void dat_bytes_add_u64(struct dat_bytes *bytes, uint64_t value);
/* With its NUL. */
void dat_bytes_add_string(struct dat_bytes *bytes, const char *string);

/* Overwrites existing bytes at @at. */
void dat_bytes_set_u32(struct dat_bytes *bytes, size_t at, uint32_t value);
void dat_bytes_set_u64(struct dat_bytes *bytes, size_t at, uint64_t value);

/*
 * Adds the contents of @name, below the directory @dir_fd (or AT_FDCWD). Reads to the end, because
 * files of tracefs do not report their sizes. Returns 0, or -1 with errno set and nothing added.
 */
int dat_bytes_add_file(struct dat_bytes *bytes, int dir_fd, const char *name);

#endif /* ANNOT_DAT_BYTES_H */
