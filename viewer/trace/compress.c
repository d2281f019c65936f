// SPDX-License-Identifier: GPL-2.0
#include "trace/compress.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "util/xalloc.h"

enum algorithm {
	ALGORITHM_NONE,
	ALGORITHM_ZLIB,
	ALGORITHM_ZSTD,
};

struct decompressor {
	enum algorithm algorithm;
	ZSTD_DCtx *zstd;
};

struct decompressor *decompressor_new(const char *name)
{
	struct decompressor *decompressor;
	enum algorithm algorithm;

	if (!strcmp(name, "none"))
		algorithm = ALGORITHM_NONE;
	else if (!strcmp(name, "zlib"))
		algorithm = ALGORITHM_ZLIB;
	else if (!strcmp(name, "zstd"))
		algorithm = ALGORITHM_ZSTD;
	else
		return NULL;
	decompressor = xcalloc(1, sizeof(*decompressor));
	decompressor->algorithm = algorithm;
	if (algorithm == ALGORITHM_ZSTD)
		decompressor->zstd = ZSTD_createDCtx();
	return decompressor;
}

void decompressor_free(struct decompressor *decompressor)
{
	if (!decompressor)
		return;
	ZSTD_freeDCtx(decompressor->zstd);
	free(decompressor);
}

static int decompress_zlib(const void *in, size_t in_size, void *out, size_t out_size)
{
	uLongf size = out_size;

	return uncompress(out, &size, in, in_size) == Z_OK && size == out_size ? 0 : -1;
}

static int decompress_zstd(ZSTD_DCtx *context, const void *in, size_t in_size, void *out,
			   size_t out_size)
{
	if (!context)
		return -1;
	return ZSTD_decompressDCtx(context, out, out_size, in, in_size) == out_size ? 0 : -1;
}

int decompress(struct decompressor *decompressor, const void *in, size_t in_size, void *out,
	       size_t out_size)
{
	switch (decompressor->algorithm) {
	case ALGORITHM_ZLIB:
		return decompress_zlib(in, in_size, out, out_size);
	case ALGORITHM_ZSTD:
		return decompress_zstd(decompressor->zstd, in, in_size, out, out_size);
	case ALGORITHM_NONE:
		break;
	}
	return -1;
}
