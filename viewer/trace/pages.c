// SPDX-License-Identifier: GPL-2.0
/*
 * A page is: u64 time of its first event; the kernel's long with the length of what follows and
 * two flags; then entries. An entry begins with 32 bits: a type of 5 bits and the time since the
 * entry before in 27 (include/linux/ring_buffer.h).
 */
#include "trace/pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/diag.h"
#include "util/xalloc.h"

#define READ_AHEAD_BYTES (64u * 1024)
#define CHUNK_MAX_BYTES (64u * 1024 * 1024)
/* A page for each CPU is in memory; a damaged file may have as many CPUs as it likes. */
#define PAGES_MIN_BYTES (64u * 1024 * 1024)
#define PAGES_PER_FILE_BYTE 256u

/* What is empty behind the last event of a CPU, for that to be looked for. */
#define EMPTY_TAIL_PAGES 64u

#define COMMIT_SIZE_MASK ((1u << 27) - 1)
#define COMMIT_MISSED_KEPT (1u << 30) /* how many stands behind the last entry */
#define COMMIT_MISSED (1u << 31)

#define DELTA_BITS 27
#define DELTA_MASK ((1u << DELTA_BITS) - 1)
#define TYPE_PADDING 29
#define TYPE_TIME_EXTEND 30
#define TYPE_TIME_STAMP 31
/* An absolute time stamp has 59 bits: the five above come from the time before it. */
#define TIME_STAMP_MSB (0xf8ull << 56)

/*
 * Entries can be read without looking at the file they are from: bit fields are laid out as on
 * little-endian machines, and so on.
 */
static bool is_simple(const struct page_reader *reader)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !reader->file->swap &&
	       !reader->file->tsc_mult && !reader->missed;
}

/* The offset told is that of the page or, where pages are compressed, of their chunk. */
static int damaged(const struct page_reader *reader, const char *message)
{
	uint64_t offset = reader->pages_offset;

	if (reader->quiet)
		return -1;
	if (!reader->compressed && reader->next_page)
		offset += reader->next_page - reader->page_bytes;
	return diag_error("%s: damaged data at offset %" PRIu64 ": %s", reader->file->path, offset,
			  message);
}

static int unreadable(const struct page_reader *reader, const char *message)
{
	return reader->quiet ? -1 : diag_error("%s: %s", reader->file->path, message);
}

static int read_file(const struct page_reader *reader, uint64_t offset, void *bytes, size_t size)
{
	uint8_t *to = bytes;

	while (size) {
		ssize_t got = pread(reader->file->fd, to, size, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return unreadable(reader, strerror(errno));
		if (!got)
			return unreadable(reader, "was cut short while it was read");
		to += got;
		offset += (uint64_t)got;
		size -= (size_t)got;
	}
	return 0;
}

static int read_file_u32(struct page_reader *reader, uint32_t *value)
{
	uint8_t bytes[4];

	if (read_file(reader, reader->offset, bytes, sizeof(bytes)))
		return -1;
	*value = read_u32(bytes, reader->file->swap);
	reader->offset += sizeof(bytes);
	return 0;
}

static int need_capacity(struct page_reader *reader, size_t bytes)
{
	struct trace_file *file = reader->file;

	if (bytes <= reader->pages_capacity)
		return 0;
	file->pages_bytes += bytes - reader->pages_capacity;
	if (file->pages_bytes > PAGES_MIN_BYTES + PAGES_PER_FILE_BYTE * file->size)
		return damaged(reader, "its CPUs' data need more memory than can be");
	reader->pages = xrealloc_array(reader->pages, bytes, 1);
	reader->pages_capacity = bytes;
	return 0;
}

struct page_reader *page_reader_new(struct trace_file *file, const struct cpu_data *data)
{
	struct page_reader *reader = xcalloc(1, sizeof(*reader));

	reader->file = file;
	reader->buffer = data->buffer;
	reader->page_bytes = data->page_bytes;
	reader->offset = data->offset;
	reader->end = data->offset + data->size;
	reader->compressed = data->compressed;
	reader->nr_chunks = UINT32_MAX;
	return reader;
}

void page_reader_free(struct page_reader *reader)
{
	if (!reader)
		return;
	reader->file->pages_bytes -= reader->pages_capacity;
	free(reader->pages);
	free(reader);
}

/* Returns 1, 0 when there are no more, -1. A page that is not whole is left out. */
static int read_plain_pages(struct page_reader *reader)
{
	uint64_t left = reader->end - reader->offset;
	uint32_t page_bytes = reader->page_bytes;
	size_t bytes = page_bytes > READ_AHEAD_BYTES ? page_bytes : READ_AHEAD_BYTES;

	if (left < bytes)
		bytes = left - left % page_bytes;
	if (!bytes)
		return 0;
	if (need_capacity(reader, bytes) || read_file(reader, reader->offset, reader->pages, bytes))
		return -1;
	reader->pages_offset = reader->offset;
	reader->pages_bytes = bytes;
	reader->offset += bytes;
	return 1;
}

static int decompress_chunk(struct page_reader *reader, uint32_t in_size, uint32_t out_size)
{
	uint8_t *in = xrealloc_array(NULL, in_size, 1);
	int err = read_file(reader, reader->offset, in, in_size);

	if (!err)
		err = need_capacity(reader, out_size);
	if (!err) {
		err = decompress(reader->file->decompressor, in, in_size, reader->pages, out_size);
		if (err)
			damaged(reader, "it does not decompress");
	}
	free(in);
	return err;
}

/* As read_plain_pages(), for a chunk; the number of chunks stands before the first. */
static int read_chunk(struct page_reader *reader)
{
	uint32_t in_size, out_size;

	reader->pages_offset = reader->offset;
	if (reader->nr_chunks == UINT32_MAX) {
		if (reader->end - reader->offset < 4)
			return 0;
		if (read_file_u32(reader, &reader->nr_chunks))
			return -1;
	}
	/* Where the file was cut short, the chunk that is not whole is left out. */
	if (!reader->nr_chunks || reader->end - reader->offset < 8)
		return 0;
	if (read_file_u32(reader, &in_size) || read_file_u32(reader, &out_size))
		return -1;
	if (in_size > reader->end - reader->offset) {
		if (reader->file->truncated)
			return 0;
		return damaged(reader, "a chunk is longer than its section");
	}
	if (!out_size || out_size > CHUNK_MAX_BYTES || out_size % reader->page_bytes)
		return damaged(reader, "a chunk is not made of whole pages");
	if (decompress_chunk(reader, in_size, out_size))
		return -1;
	reader->pages_bytes = out_size;
	reader->offset += in_size;
	reader->nr_chunks--;
	return 1;
}

static uint64_t read_long(const struct page_reader *reader, const uint8_t *bytes)
{
	if (reader->file->commit_bytes == 8)
		return read_u64(bytes, reader->file->swap);
	return read_u32(bytes, reader->file->swap);
}

/* Returns 1 with the next page loaded, 0 when there is none, -1. */
static int next_page(struct page_reader *reader)
{
	const struct trace_file *file = reader->file;
	uint32_t capacity = reader->page_bytes - file->page_header_bytes;
	const uint8_t *page;
	uint64_t commit;
	uint32_t size;

	if (reader->next_page == reader->pages_bytes) {
		int got = reader->compressed ? read_chunk(reader) : read_plain_pages(reader);

		if (got <= 0)
			return got;
		reader->next_page = 0;
	}
	page = reader->pages + reader->next_page;
	reader->next_page += reader->page_bytes;
	commit = read_long(reader, page + 8);
	size = commit & COMMIT_SIZE_MASK;
	if (size > capacity)
		return damaged(reader, "a page's contents are longer than the page");
	reader->ticks = read_u64(page, file->swap);
	reader->at = page + file->page_header_bytes;
	reader->page_end = reader->at + size;
	if (commit & COMMIT_MISSED) {
		reader->missed = true;
		if (commit & COMMIT_MISSED_KEPT && capacity - size >= file->commit_bytes)
			reader->nr_missed += read_long(reader, reader->page_end);
	}
	reader->is_simple = is_simple(reader);
	return 1;
}

static uint64_t to_ns(const struct trace_file *file, uint64_t ticks)
{
	if (!file->tsc_mult)
		return ticks;
	return (uint64_t)(((unsigned __int128)ticks * file->tsc_mult) >> file->tsc_shift);
}

/* Fills @record with @size bytes at reader->at, and steps over them. */
static int take_record(struct page_reader *reader, struct raw_record *record, uint32_t size)
{
	uint64_t time_ns = to_ns(reader->file, reader->ticks);

	if (size > (size_t)(reader->page_end - reader->at))
		return damaged(reader, "an event is longer than its page");
	/* Clocks that step back would break the merge of the CPUs: hold the time instead. */
	if (time_ns < reader->last_time_ns)
		time_ns = reader->last_time_ns;
	reader->last_time_ns = time_ns;
	record->time_ns = time_ns;
	record->data = reader->at;
	record->size = size;
	record->buffer = reader->buffer;
	record->missed = reader->missed;
	record->nr_missed = reader->nr_missed;
	reader->missed = false;
	reader->nr_missed = 0;
	reader->is_simple = is_simple(reader);
	/* The last event's padding to 4 bytes may be cut off by the end of the page's contents. */
	size = (size + 3) & ~3u;
	if (size > (size_t)(reader->page_end - reader->at))
		reader->at = reader->page_end;
	else
		reader->at += size;
	return 1;
}

/* Returns 1 with a record, 0 at the end of the page, -1. */
static int next_in_page(struct page_reader *reader, struct raw_record *record)
{
	bool swap = reader->file->swap;
	/* Bit fields are laid out from the other end on big-endian machines. */
	bool big_endian = swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	while (reader->page_end - reader->at >= 4) {
		uint32_t head = read_u32(reader->at, swap), word;
		uint32_t type = big_endian ? head >> DELTA_BITS : head & 31;
		uint64_t delta = big_endian ? head & DELTA_MASK : head >> 5;

		reader->at += 4;
		if (type && type < TYPE_PADDING) {
			reader->ticks += delta;
			return take_record(reader, record, type * 4);
		}
		if (type == TYPE_PADDING && !delta)
			return 0; /* to the end of the page */
		if (reader->page_end - reader->at < 4)
			return damaged(reader, "an entry is longer than its page");
		word = read_u32(reader->at, swap);
		switch (type) {
		case TYPE_TIME_EXTEND:
			reader->ticks += delta + ((uint64_t)word << DELTA_BITS);
			reader->at += 4;
			break;
		case TYPE_TIME_STAMP:
			reader->ticks = (delta | (uint64_t)word << DELTA_BITS) |
					(reader->ticks & TIME_STAMP_MSB);
			reader->at += 4;
			break;
		case TYPE_PADDING: /* an event that was taken back */
			reader->ticks += delta;
			if (word > (size_t)(reader->page_end - reader->at))
				return damaged(reader, "an entry is longer than its page");
			reader->at += word;
			break;
		default: /* the length, with its own 4 bytes, does not fit in the head */
			if (word < 4)
				return damaged(reader, "an event's length is too small");
			reader->ticks += delta;
			reader->at += 4;
			return take_record(reader, record, word - 4);
		}
	}
	return 0;
}

int page_reader_next_any(struct page_reader *reader, struct raw_record *record)
{
	for (;;) {
		int got = next_in_page(reader, record);

		if (got)
			return got;
		got = next_page(reader);
		if (got <= 0)
			return got;
	}
}

/* Of all that @reader has yet to read. Returns 1, 0 when there is no record, -1. */
static int time_of_last(struct page_reader *reader, uint64_t *time_ns)
{
	struct raw_record record;
	int nr = 0, got;

	while ((got = page_reader_next(reader, &record)) > 0) {
		*time_ns = record.time_ns;
		nr = 1;
	}
	return got < 0 ? -1 : nr;
}

/* The page from which on all are empty is not the last one where a recording was cut off. */
static int last_time_plain(struct page_reader *reader, uint64_t *time_ns)
{
	uint64_t start = reader->offset, left = reader->end - start;
	uint32_t page_bytes = reader->page_bytes;

	left -= left % page_bytes;
	for (uint32_t i = 0; left && i < EMPTY_TAIL_PAGES; i++) {
		int got;

		left -= page_bytes;
		reader->offset = start + left;
		reader->end = reader->offset + page_bytes;
		got = time_of_last(reader, time_ns);
		if (got)
			return got;
	}
	return left ? -1 : 0;
}

/* Each chunk tells where the next one begins. */
static int last_time_compressed(struct page_reader *reader, uint64_t *time_ns)
{
	uint32_t nr_chunks, bytes;
	uint64_t last;

	if (reader->end - reader->offset < 4)
		return 0;
	if (read_file_u32(reader, &nr_chunks))
		return -1;
	if (!nr_chunks)
		return 0;
	last = reader->offset;
	for (; nr_chunks && reader->end - reader->offset >= 8; nr_chunks--) {
		uint64_t chunk = reader->offset;

		if (read_file_u32(reader, &bytes))
			return -1;
		if (bytes > reader->end - chunk - 8)
			break;
		reader->offset = chunk + 8 + bytes;
		last = chunk;
	}
	reader->offset = last;
	reader->nr_chunks = 1;
	return time_of_last(reader, time_ns);
}

int page_reader_last_time(struct trace_file *file, const struct cpu_data *data, uint64_t *time_ns)
{
	struct page_reader *reader = page_reader_new(file, data);
	int got;

	reader->quiet = true;
	if (data->compressed)
		got = last_time_compressed(reader, time_ns);
	else
		got = last_time_plain(reader, time_ns);
	page_reader_free(reader);
	return got;
}
