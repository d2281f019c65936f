/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compression algorithms that a trace.dat v7 may name in its head.
 */
#ifndef ANNOT_TRACE_FILE_DECOMPRESS_H
#define ANNOT_TRACE_FILE_DECOMPRESS_H

#include <stddef.h>

struct decompressor;

/* @name as the file's head has it: "none", "zlib", "zstd". NULL when it is none we know. */
struct decompressor *decompressor_new(const char *name);
/* Another one of the same algorithm, for another thread. NULL of NULL. */
struct decompressor *decompressor_copy(const struct decompressor *decompressor);
void decompressor_free(struct decompressor *decompressor);

/* Returns 0 when @in became exactly @out_size bytes at @out, else -1, silently. */
int decompressor_run(struct decompressor *decompressor, const void *in, size_t in_size, void *out,
		     size_t out_size);

#endif /* ANNOT_TRACE_FILE_DECOMPRESS_H */
