/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pages of one CPU's ring buffer -> records, in the order in which they were written. Each
 * length is checked against its page, so damaged files cannot cause reads outside of it.
 */
#ifndef ANNOT_TRACE_FILE_PAGES_H
#define ANNOT_TRACE_FILE_PAGES_H

#include "trace/file/readahead.h"
#include "util/load.h"

/* One event as the kernel wrote it. @data is valid until the reader's next record. */
struct raw_record {
	uint64_t time_ns;
	const uint8_t *data;
	uint32_t size;
	int buffer; /* index in trace_file.buffers */
	bool missed; /* events were lost between the record before and this one */
	uint64_t nr_missed; /* 0: number not known */
};

/*
 * The head of an entry has 27 bits of time and 5 of type. These types are the length of the record
 * in words.
 */
#define PAGE_TYPE_MAX_WORDS 28

/* The fields are private. The struct is here so that page_reader_next() can be inline. */
struct page_reader {
	const uint8_t *at; /* the next entry of the current page */
	const uint8_t *page_end;
	uint64_t ticks; /* of the last entry; nanoseconds unless the clock is a TSC */
	uint64_t last_time_ns;
	bool is_simple; /* host byte order, ticks are ns, and no loss to report */
	bool missed;
	uint64_t nr_missed;

	struct trace_file *file;
	int buffer;
	uint32_t page_bytes;
	bool compressed;
	bool quiet; /* prints no messages about damage */
	struct readahead_stream *stream;
	const struct block *block; /* NULL: none yet */
	size_t next_page; /* in the block */
};

/* @file and @readahead must outlive the reader. @readahead may be NULL. */
struct page_reader *page_reader_new(struct trace_file *file, const struct cpu_data *data,
				    struct readahead *readahead);
void page_reader_free(struct page_reader *reader);

/* page_reader_next() for the general case. */
int page_reader_next_any(struct page_reader *reader, struct raw_record *record);

/* Returns 1 and the next record, 0 at the end, -1 after one line on stderr. */
static inline int page_reader_next(struct page_reader *reader, struct raw_record *record)
{
	size_t left = (size_t)(reader->page_end - reader->at);
	uint32_t head, size;
	uint64_t time_ns;

	if (!reader->is_simple || left < sizeof(head))
		return page_reader_next_any(reader, record);
	__builtin_memcpy(&head, reader->at, sizeof(head));
	size = (head & 31) * 4;
	time_ns = reader->ticks + (head >> 5);
	if (!size || size > PAGE_TYPE_MAX_WORDS * 4 || size > left - sizeof(head) ||
	    time_ns < reader->last_time_ns)
		return page_reader_next_any(reader, record);
	record->time_ns = time_ns;
	record->data = reader->at + sizeof(head);
	record->size = size;
	record->buffer = reader->buffer;
	record->missed = false;
	record->nr_missed = 0;
	reader->ticks = time_ns;
	reader->last_time_ns = time_ns;
	reader->at += sizeof(head) + size;
	return 1;
}

/*
 * Time of the last record of @data. Reads only the end of the data. Returns 1; 0 if it has no
 * record; -1 silently if it is damaged there.
 */
int page_reader_last_time(struct trace_file *file, const struct cpu_data *data, uint64_t *time_ns);

#endif /* ANNOT_TRACE_FILE_PAGES_H */
