/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decompresses blocks of CPUs in other threads before they are needed, if there are other cores.
 * The result is the same as without, in the same order: each CPU's blocks are read in order, and
 * the threads share nothing else.
 *
 * Only one thread may read. Memory is bounded for any file.
 */
#ifndef ANNOT_TRACE_FILE_READAHEAD_H
#define ANNOT_TRACE_FILE_READAHEAD_H

#include "trace/file/blocks.h"

struct readahead;
struct readahead_stream;

/*
 * The number of threads: bounded by the other cores and the CPUs in @file; 0 if nothing is
 * compressed.
 */
int readahead_nr_workers(const struct trace_file *file);

/* Returns NULL for 0 workers. @file must outlive it. */
struct readahead *readahead_new(const struct trace_file *file, int nr_workers);
/* Free its streams first. */
void readahead_free(struct readahead *readahead);

/*
 * A stream of the remaining blocks of @source. @file and @readahead must outlive it. @readahead may
 * be NULL.
 */
struct readahead_stream *readahead_stream_new(struct trace_file *file, struct block_source source,
					      struct readahead *readahead);
void readahead_stream_free(struct readahead_stream *stream);

/* Returns the next block, or why there is none, in @block; it is valid until the next call. */
enum block_status readahead_stream_next(struct readahead_stream *stream,
					const struct block **block);

#endif /* ANNOT_TRACE_FILE_READAHEAD_H */
