/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The blocks of CPUs, decompressed by other threads before they are asked for, where there are other
 * cores. What comes out is the same, in the same order, as without: the threads know nothing of each
 * other, and each CPU's blocks are read one after the other.
 *
 * One thread asks; the memory is bounded whatever the file holds.
 */
#ifndef ANNOT_TRACE_FILE_READAHEAD_H
#define ANNOT_TRACE_FILE_READAHEAD_H

#include "trace/file/blocks.h"

struct readahead;
struct readahead_stream;

/* As many threads as there are cores for them and CPUs in @file, 0 if nothing of it is compressed. */
int readahead_nr_workers(const struct trace_file *file);

/* NULL for 0 workers. @file must stay as long as this. */
struct readahead *readahead_new(const struct trace_file *file, int nr_workers);
/* Its streams must have been freed. */
void readahead_free(struct readahead *readahead);

/* What @source has yet to give. @file and @readahead, which may be NULL, must stay as long as the stream. */
struct readahead_stream *readahead_stream_new(struct trace_file *file, struct block_source source,
					      struct readahead *readahead);
void readahead_stream_free(struct readahead_stream *stream);

/* @block is the next one, or says why there is none; it is good until the next call. */
enum block_status readahead_stream_next(struct readahead_stream *stream,
					const struct block **block);

#endif /* ANNOT_TRACE_FILE_READAHEAD_H */
