/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One CPU's part of a file -> blocks of whole pages, as many as are read or decompressed at once.
 * Says nothing on stderr: it may run in any thread, and be ahead of what is asked for.
 */
#ifndef ANNOT_TRACE_FILE_BLOCKS_H
#define ANNOT_TRACE_FILE_BLOCKS_H

#include <stddef.h>

#include "trace/file/trace_file.h"

struct block {
	uint8_t *pages; /* free() them in the end */
	size_t capacity;
	size_t nr_bytes;
	uint64_t offset; /* in the file, of the first page or of the chunk */
	/* Why there is none; one of the two, both without an end. */
	const char *damage; /* at that offset */
	const char *unreadable;
};

enum block_status {
	BLOCK_READ,
	BLOCK_END, /* there are no more */
	BLOCK_ERROR,
	BLOCK_TOO_LARGE, /* for the limit that was given: it is still to read */
};

/* Where the next block is. */
struct block_source {
	const struct trace_file *file;
	uint32_t page_bytes;
	uint64_t offset;
	uint64_t end;
	bool compressed;
	uint32_t nr_chunks; /* still to read; UINT32_MAX: their number stands there */
};

struct block_source block_source_of(const struct trace_file *file, const struct cpu_data *data);

/*
 * Reads the next block of at most @limit_bytes into @block. @decompressor is the file's, or like it;
 * nobody else may use it meanwhile. A page or chunk that is not whole is left out.
 */
enum block_status block_read(struct block_source *source, struct decompressor *decompressor,
			     size_t limit_bytes, struct block *block);

/* Goes to the last chunk. False: it cannot be found. */
bool block_source_seek_last_chunk(struct block_source *source);

#endif /* ANNOT_TRACE_FILE_BLOCKS_H */
