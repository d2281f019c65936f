// SPDX-License-Identifier: GPL-2.0
#include "trace/file/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/load.h"
#include "util/xalloc.h"

#define PLAIN_BLOCK_BYTES (64u * 1024)
#define CHUNK_MAX_BYTES (64u * 1024 * 1024)
#define CHUNK_HEADER_BYTES 8u

struct block_source block_source_of(const struct trace_file *file, const struct cpu_data *data)
{
	return (struct block_source){
		.file = file,
		.page_bytes = data->page_bytes,
		.offset = data->offset,
		.end = data->offset + data->size,
		.compressed = data->compressed,
		.nr_chunks = UINT32_MAX,
	};
}

static enum block_status set_damaged(struct block *block, const char *damage)
{
	block->damage = damage;
	return BLOCK_ERROR;
}

/* Returns NULL, or why it cannot be read. */
static const char *read_file(const struct block_source *source, uint64_t offset, void *bytes,
			     size_t nr_bytes)
{
	uint8_t *to = bytes;

	while (nr_bytes) {
		ssize_t got = pread(source->file->fd, to, nr_bytes, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return strerrordesc_np(errno);
		if (!got)
			return "was truncated while it was read";
		to += got;
		offset += (uint64_t)got;
		nr_bytes -= (size_t)got;
	}
	return NULL;
}

static void need_capacity(struct block *block, size_t nr_bytes)
{
	if (nr_bytes <= block->capacity)
		return;
	free(block->pages);
	block->pages = xrealloc_array(NULL, nr_bytes, 1);
	block->capacity = nr_bytes;
}

static enum block_status read_plain(struct block_source *source, size_t limit_bytes,
				    struct block *block)
{
	uint64_t left = source->end - source->offset;
	size_t bytes = PLAIN_BLOCK_BYTES;

	if (bytes < source->page_bytes)
		bytes = source->page_bytes;
	if (left < bytes)
		bytes = left - left % source->page_bytes;
	if (!bytes)
		return BLOCK_END;
	if (bytes > limit_bytes)
		return BLOCK_TOO_LARGE;
	need_capacity(block, bytes);
	block->unreadable = read_file(source, source->offset, block->pages, bytes);
	if (block->unreadable)
		return BLOCK_ERROR;
	block->nr_bytes = bytes;
	source->offset += bytes;
	return BLOCK_READ;
}

/* What a chunk begins with. */
struct chunk {
	uint32_t in_bytes;
	uint32_t out_bytes;
};

/* NULL with @chunk filled; the source stays where it is. */
static const char *read_chunk_header(const struct block_source *source, struct chunk *chunk)
{
	uint8_t bytes[CHUNK_HEADER_BYTES];
	const char *why = read_file(source, source->offset, bytes, sizeof(bytes));

	if (why)
		return why;
	chunk->in_bytes = load_u32(bytes, source->file->swap);
	chunk->out_bytes = load_u32(bytes + 4, source->file->swap);
	return NULL;
}

/* The number of chunks precedes the first. Returns NULL, or why it cannot be read. */
static const char *read_nr_chunks(struct block_source *source)
{
	uint8_t bytes[4];
	const char *why;

	if (source->nr_chunks != UINT32_MAX)
		return NULL;
	if (source->end - source->offset < sizeof(bytes)) {
		source->nr_chunks = 0;
		return NULL;
	}
	why = read_file(source, source->offset, bytes, sizeof(bytes));
	if (why)
		return why;
	source->nr_chunks = load_u32(bytes, source->file->swap);
	source->offset += sizeof(bytes);
	return NULL;
}

static enum block_status decompress_chunk(const struct block_source *source,
					  const struct chunk *chunk,
					  struct decompressor *decompressor, struct block *block)
{
	uint8_t *in = xrealloc_array(NULL, chunk->in_bytes, 1);
	enum block_status status = BLOCK_READ;

	block->unreadable = read_file(source, source->offset + CHUNK_HEADER_BYTES, in,
				      chunk->in_bytes);
	need_capacity(block, chunk->out_bytes);
	if (block->unreadable)
		status = BLOCK_ERROR;
	else if (decompressor_run(decompressor, in, chunk->in_bytes, block->pages,
				  chunk->out_bytes))
		status = set_damaged(block, "it does not decompress");
	free(in);
	return status;
}

static enum block_status read_chunk(struct block_source *source, struct decompressor *decompressor,
				    size_t limit_bytes, struct block *block)
{
	enum block_status status;
	struct chunk chunk;

	block->unreadable = read_nr_chunks(source);
	if (block->unreadable)
		return BLOCK_ERROR;
	/* Where the file was cut short, the chunk that is not whole is left out. */
	if (!source->nr_chunks || source->end - source->offset < CHUNK_HEADER_BYTES)
		return BLOCK_END;
	block->unreadable = read_chunk_header(source, &chunk);
	if (block->unreadable)
		return BLOCK_ERROR;
	if (chunk.in_bytes > source->end - source->offset - CHUNK_HEADER_BYTES) {
		if (source->file->truncated)
			return BLOCK_END;
		return set_damaged(block, "a chunk is longer than its section");
	}
	if (!chunk.out_bytes || chunk.out_bytes > CHUNK_MAX_BYTES ||
	    chunk.out_bytes % source->page_bytes)
		return set_damaged(block, "a chunk does not consist of whole pages");
	if (chunk.out_bytes > limit_bytes)
		return BLOCK_TOO_LARGE;
	status = decompress_chunk(source, &chunk, decompressor, block);
	block->nr_bytes = chunk.out_bytes;
	source->offset += CHUNK_HEADER_BYTES + chunk.in_bytes;
	source->nr_chunks--;
	return status;
}

enum block_status block_read(struct block_source *source, struct decompressor *decompressor,
			     size_t limit_bytes, struct block *block)
{
	block->offset = source->offset;
	block->damage = NULL;
	block->unreadable = NULL;
	block->nr_bytes = 0;
	if (source->compressed)
		return read_chunk(source, decompressor, limit_bytes, block);
	return read_plain(source, limit_bytes, block);
}

/* Each chunk gives the position of the next one. */
bool block_source_seek_last_chunk(struct block_source *source)
{
	uint64_t last;

	if (read_nr_chunks(source))
		return false;
	last = source->offset;
	for (uint32_t i = 0; i < source->nr_chunks; i++) {
		struct chunk chunk;

		if (source->end - source->offset < CHUNK_HEADER_BYTES)
			break;
		if (read_chunk_header(source, &chunk))
			return false;
		if (chunk.in_bytes > source->end - source->offset - CHUNK_HEADER_BYTES)
			break;
		last = source->offset;
		source->offset += CHUNK_HEADER_BYTES + chunk.in_bytes;
	}
	source->offset = last;
	if (source->nr_chunks)
		source->nr_chunks = 1;
	return true;
}
