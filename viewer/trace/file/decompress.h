/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compression algorithms that a trace.dat v7 may name in its head.
 */
#ifndef ANNOT_TRACE_FILE_DECOMPRESS_H
#define ANNOT_TRACE_FILE_DECOMPRESS_H

#include <stddef.h>

struct decompressor;

/* @name is the name in the file's head: "none", "zlib", "zstd". Returns NULL if it is unknown. */
struct decompressor *decompressor_new(const char *name);
/* A copy, for another thread. Returns NULL for NULL. */
struct decompressor *decompressor_copy(const struct decompressor *decompressor);
void decompressor_free(struct decompressor *decompressor);

/* Returns 0 if @in decompresses to exactly @out_size bytes, otherwise -1, silently. */
int decompressor_run(struct decompressor *decompressor, const void *in, size_t in_size, void *out,
		     size_t out_size);

#endif /* ANNOT_TRACE_FILE_DECOMPRESS_H */
