// SPDX-License-Identifier: GPL-2.0
#include "trace/file/decompress.h"

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

static struct decompressor *decompressor_of(enum algorithm algorithm)
{
	struct decompressor *decompressor = xcalloc(1, sizeof(*decompressor));

	decompressor->algorithm = algorithm;
	if (algorithm == ALGORITHM_ZSTD)
		decompressor->zstd = ZSTD_createDCtx();
	return decompressor;
}

struct decompressor *decompressor_new(const char *name)
{
	if (!strcmp(name, "none"))
		return decompressor_of(ALGORITHM_NONE);
	if (!strcmp(name, "zlib"))
		return decompressor_of(ALGORITHM_ZLIB);
	if (!strcmp(name, "zstd"))
		return decompressor_of(ALGORITHM_ZSTD);
	return NULL;
}

struct decompressor *decompressor_copy(const struct decompressor *decompressor)
{
	return decompressor ? decompressor_of(decompressor->algorithm) : NULL;
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

int decompressor_run(struct decompressor *decompressor, const void *in, size_t in_size, void *out,
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
