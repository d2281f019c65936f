/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The compression of a trace.dat v7: of sections at once, of what was recorded in chunks.
 */
#ifndef ANNOT_DAT_COMPRESS_H
#define ANNOT_DAT_COMPRESS_H

#include "dat/bytes.h"
#include "dat/source.h"

struct dat_compressor;

/* Is @name one that the file may have: "none", "zlib", "zstd"? */
bool dat_compression_known(const char *name);

/* NULL for "none". */
struct dat_compressor *dat_compressor_new(const char *name);
void dat_compressor_free(struct dat_compressor *compressor);

/* Of the library that compresses, as it stands in the file; "" for NULL. */
const char *dat_compressor_version(const struct dat_compressor *compressor);

/*
 * @in compressed, behind the two sizes, of what follows and of what it becomes again. It stands in
 * the compressor until the next call. NULL after one line on stderr.
 */
const struct dat_bytes *dat_compress(struct dat_compressor *compressor, const void *in,
				     size_t size);

/*
 * Moves all of @source to the position of @out, in chunks of whole pages behind their number.
 * Returns 0, or -1 after one line on stderr, as dat_move() does.
 */
int dat_compress_source(struct dat_compressor *compressor, struct dat_source *source,
			uint32_t page_bytes, struct dat_out *out);

#endif /* ANNOT_DAT_COMPRESS_H */
