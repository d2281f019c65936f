/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One CPU's part of a file -> blocks of whole pages: as many as are read or decompressed at once.
 * Prints nothing on stderr: it may run in any thread, ahead of the reader.
 */
#ifndef ANNOT_TRACE_FILE_BLOCKS_H
#define ANNOT_TRACE_FILE_BLOCKS_H

#include <stddef.h>

#include "trace/file/trace_file.h"

struct block {
	uint8_t *pages; /* free() after use */
	size_t capacity;
	size_t nr_bytes;
	uint64_t offset; /* of the first page or of the chunk in the file */
	/* Why there is no block: one of these is set. Text without a full stop. */
	const char *damage; /* at that offset */
	const char *unreadable;
};

enum block_status {
	BLOCK_READ,
	BLOCK_END, /* there are no more */
	BLOCK_ERROR,
	BLOCK_TOO_LARGE, /* larger than the limit; not read yet */
};

/* The position of the next block. */
struct block_source {
	const struct trace_file *file;
	uint32_t page_bytes;
	uint64_t offset;
	uint64_t end;
	bool compressed;
	uint32_t nr_chunks; /* number of chunks left; UINT32_MAX: the number is at this offset */
};

struct block_source block_source_of(const struct trace_file *file, const struct cpu_data *data);

/*
 * Reads the next block of at most @limit_bytes into @block. @decompressor is that of the file or a
 * copy; no other thread may use it meanwhile. Incomplete pages and chunks are dropped.
 */
enum block_status block_read(struct block_source *source, struct decompressor *decompressor,
			     size_t limit_bytes, struct block *block);

/* Moves to the last chunk. Returns false if it cannot be found. */
bool block_source_seek_last_chunk(struct block_source *source);

#endif /* ANNOT_TRACE_FILE_BLOCKS_H */
