// SPDX-License-Identifier: GPL-2.0
/*
 * A page is: u64 time of its first event; the kernel's long with the length of what follows and
 * two flags; then entries. An entry begins with 32 bits: a type of 5 bits and the time since the
 * entry before in 27 (include/linux/ring_buffer.h).
 */
#include "trace/file/pages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/diag.h"
#include "util/xalloc.h"

/* The empty pages after the last event of a CPU that are searched for that event. */
#define EMPTY_TAIL_PAGES 64u

#define COMMIT_SIZE_MASK ((1u << 27) - 1)
#define COMMIT_MISSED_KEPT (1u << 30) /* their number follows the last entry */
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

/* The offset in the message is that of the page or, if pages are compressed, of their chunk. */
static int print_damaged(const struct page_reader *reader, const char *message)
{
	uint64_t offset = reader->block->offset;

	if (reader->quiet)
		return -1;
	if (!reader->compressed && reader->next_page)
		offset += reader->next_page - reader->page_bytes;
	return diag_error("%s: damaged data at offset %" PRIu64 ": %s", reader->file->path, offset,
			  message);
}

static int print_unreadable(const struct page_reader *reader, const char *message)
{
	return reader->quiet ? -1 : diag_error("%s: %s", reader->file->path, message);
}

/* Of what @source has yet to give of @data. */
static struct page_reader *reader_of(struct trace_file *file, const struct cpu_data *data,
				     struct block_source source, struct readahead *readahead)
{
	struct page_reader *reader = xcalloc(1, sizeof(*reader));

	reader->stream = readahead_stream_new(file, source, readahead);
	reader->file = file;
	reader->buffer = data->buffer;
	reader->page_bytes = data->page_bytes;
	reader->compressed = data->compressed;
	return reader;
}

struct page_reader *page_reader_new(struct trace_file *file, const struct cpu_data *data,
				    struct readahead *readahead)
{
	return reader_of(file, data, block_source_of(file, data), readahead);
}

void page_reader_free(struct page_reader *reader)
{
	if (!reader)
		return;
	readahead_stream_free(reader->stream);
	free(reader);
}

/* Returns 1, 0 when there are no more, -1. */
static int next_block(struct page_reader *reader)
{
	enum block_status status = readahead_stream_next(reader->stream, &reader->block);

	reader->next_page = 0;
	if (status == BLOCK_READ)
		return 1;
	if (status == BLOCK_END)
		return 0;
	if (reader->block->damage)
		return print_damaged(reader, reader->block->damage);
	return print_unreadable(reader, reader->block->unreadable);
}

static uint64_t read_long(const struct page_reader *reader, const uint8_t *bytes)
{
	if (reader->file->commit_bytes == 8)
		return load_u64(bytes, reader->file->swap);
	return load_u32(bytes, reader->file->swap);
}

/* Returns 1 and loads the next page; 0 if there is none; -1 on failure. */
static int next_page(struct page_reader *reader)
{
	const struct trace_file *file = reader->file;
	uint32_t capacity = reader->page_bytes - file->page_header_bytes;
	const uint8_t *page;
	uint64_t commit;
	uint32_t size;

	if (!reader->block || reader->next_page == reader->block->nr_bytes) {
		int got = next_block(reader);

		if (got <= 0)
			return got;
	}
	page = reader->block->pages + reader->next_page;
	reader->next_page += reader->page_bytes;
	commit = read_long(reader, page + 8);
	size = commit & COMMIT_SIZE_MASK;
	if (size > capacity)
		return print_damaged(reader, "a page's contents are longer than the page");
	reader->ticks = load_u64(page, file->swap);
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
		return print_damaged(reader, "an event is longer than its page");
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
		uint32_t head = load_u32(reader->at, swap), word;
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
			return print_damaged(reader, "an entry is longer than its page");
		word = load_u32(reader->at, swap);
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
				return print_damaged(reader, "an entry is longer than its page");
			reader->at += word;
			break;
		default: /* the length, with its own 4 bytes, does not fit in the head */
			if (word < 4)
				return print_damaged(reader, "an event's length is too small");
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

static int last_time_from(struct trace_file *file, const struct cpu_data *data,
			  struct block_source source, uint64_t *time_ns)
{
	struct page_reader *reader = reader_of(file, data, source, NULL);
	int got;

	reader->quiet = true;
	got = time_of_last(reader, time_ns);
	page_reader_free(reader);
	return got;
}

/* Where a recording was cut off, the last pages may be empty. */
static int last_time_plain(struct trace_file *file, const struct cpu_data *data, uint64_t *time_ns)
{
	uint64_t left = data->size - data->size % data->page_bytes;
	struct cpu_data page = *data;

	page.size = data->page_bytes;
	for (uint32_t i = 0; left && i < EMPTY_TAIL_PAGES; i++) {
		int got;

		left -= page.size;
		page.offset = data->offset + left;
		got = last_time_from(file, &page, block_source_of(file, &page), time_ns);
		if (got)
			return got;
	}
	return left ? -1 : 0;
}

static int last_time_compressed(struct trace_file *file, const struct cpu_data *data,
				uint64_t *time_ns)
{
	struct block_source source = block_source_of(file, data);

	if (!block_source_seek_last_chunk(&source))
		return -1;
	return last_time_from(file, data, source, time_ns);
}

int page_reader_last_time(struct trace_file *file, const struct cpu_data *data, uint64_t *time_ns)
{
	if (data->compressed)
		return last_time_compressed(file, data, time_ns);
	return last_time_plain(file, data, time_ns);
}
