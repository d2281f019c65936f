// SPDX-License-Identifier: GPL-2.0
#include "dat/compress.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "util/diag.h"
#include "util/xalloc.h"

/*
 * Like trace-cmd, ten pages. Larger chunks compress better, but must be decompressed completely to
 * read one event.
 */
#define CHUNK_PAGES 32u
#define CHUNK_HEADER_BYTES (2 * sizeof(uint32_t))

#define DEFLATE_LEVEL 6

struct dat_compressor {
	ZSTD_CCtx *zstd; /* either this */
	struct libdeflate_compressor *deflate; /* or this */
	struct dat_bytes out;
};

bool dat_compression_known(const char *name)
{
	return !strcmp(name, "none") || !strcmp(name, "zlib") || !strcmp(name, "zstd");
}

struct dat_compressor *dat_compressor_new(const char *name)
{
	struct dat_compressor *compressor;

	if (!strcmp(name, "none"))
		return NULL;
	compressor = xcalloc(1, sizeof(*compressor));
	if (!strcmp(name, "zstd"))
		compressor->zstd = ZSTD_createCCtx();
	else
		compressor->deflate = libdeflate_alloc_compressor(DEFLATE_LEVEL);
	if (!compressor->zstd && !compressor->deflate) {
		diag_error("out of memory");
		exit(EXIT_BAD_INPUT);
	}
	return compressor;
}

void dat_compressor_free(struct dat_compressor *compressor)
{
	if (!compressor)
		return;
	ZSTD_freeCCtx(compressor->zstd);
	libdeflate_free_compressor(compressor->deflate);
	dat_bytes_free(&compressor->out);
	free(compressor);
}

const char *dat_compressor_version(const struct dat_compressor *compressor)
{
	if (!compressor)
		return "";
	return compressor->zstd ? ZSTD_versionString() : zlibVersion();
}

static size_t bound_size(const struct dat_compressor *compressor, size_t size)
{
	if (compressor->zstd)
		return ZSTD_compressBound(size);
	return libdeflate_zlib_compress_bound(compressor->deflate, size);
}

/* Returns how long it became; 0: it did not work. */
static size_t compress_to(struct dat_compressor *compressor, const void *in, size_t size, void *out,
			  size_t out_size)
{
	size_t became;

	if (!compressor->zstd)
		return libdeflate_zlib_compress(compressor->deflate, in, size, out, out_size);
	became = ZSTD_compressCCtx(compressor->zstd, out, out_size, in, size, ZSTD_CLEVEL_DEFAULT);
	return ZSTD_isError(became) ? 0 : became;
}

const struct dat_bytes *dat_compress(struct dat_compressor *compressor, const void *in, size_t size)
{
	size_t most = bound_size(compressor, size), became;
	struct dat_bytes *out = &compressor->out;

	out->size = 0;
	dat_bytes_need(out, CHUNK_HEADER_BYTES + most);
	became = compress_to(compressor, in, size, out->data + CHUNK_HEADER_BYTES, most);
	if (!became) {
		diag_error("record: %zu bytes do not compress", size);
		return NULL;
	}
	dat_bytes_add_u32(out, (uint32_t)became);
	dat_bytes_add_u32(out, (uint32_t)size);
	out->size += became;
	return out;
}

static int compress_chunk(struct dat_compressor *compressor, struct dat_source *source,
			  uint8_t *chunk, size_t size, struct dat_out *out)
{
	const struct dat_bytes *compressed;

	if (dat_source_read(source, chunk, size))
		return -1;
	compressed = dat_compress(compressor, chunk, size);
	if (!compressed || dat_out_write_bytes(out, compressed))
		return -1;
	return dat_source_release(source, out);
}

int dat_compress_source(struct dat_compressor *compressor, struct dat_source *source,
			uint32_t page_bytes, struct dat_out *out)
{
	size_t chunk_bytes = (size_t)page_bytes * CHUNK_PAGES;
	uint64_t left = source->end - source->at;
	uint32_t nr_chunks = (uint32_t)((left + chunk_bytes - 1) / chunk_bytes);
	uint8_t *chunk;
	int err;

	if (!left)
		return 0;
	/* Known before the chunks: what a recording that is stopped leaves can be read up to there. */
	err = dat_out_write(out, &nr_chunks, sizeof(nr_chunks));
	chunk = xrealloc_array(NULL, chunk_bytes, 1);
	for (; !err && left; left = source->end - source->at)
		err = compress_chunk(compressor, source, chunk,
				     left < chunk_bytes ? left : chunk_bytes, out);
	free(chunk);
	return err;
}
