/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compression of a trace.dat v7: sections are compressed as a whole, data in chunks.
 */
#ifndef ANNOT_DAT_COMPRESS_H
#define ANNOT_DAT_COMPRESS_H

#include "dat/bytes.h"
#include "dat/source.h"

struct dat_compressor;

/* Whether the file can have the compression @name: "none", "zlib", "zstd". */
bool dat_compression_known(const char *name);

/* NULL for "none". */
struct dat_compressor *dat_compressor_new(const char *name);
void dat_compressor_free(struct dat_compressor *compressor);

/* The version of the compression library, as in the file; "" for NULL. */
const char *dat_compressor_version(const struct dat_compressor *compressor);

/*
 * Compresses @in. The result begins with the compressed and the uncompressed size. It is valid
 * until the next call. Returns NULL after one line on stderr.
 */
const struct dat_bytes *dat_compress(struct dat_compressor *compressor, const void *in,
				     size_t size);

/*
 * Moves all of @source to the position of @out: the number of chunks, then chunks of whole pages.
 * Returns 0, or -1 after one line on stderr, like dat_move().
 */
int dat_compress_source(struct dat_compressor *compressor, struct dat_source *source,
			uint32_t page_bytes, struct dat_out *out);

#endif /* ANNOT_DAT_COMPRESS_H */
