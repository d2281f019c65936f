/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pages of one CPU's ring buffer -> records, in the order they were written. Every length is
 * checked against the page it stands in: whatever the file holds, nothing outside is touched.
 */
#ifndef ANNOT_TRACE_PAGES_H
#define ANNOT_TRACE_PAGES_H

#include "trace/file.h"

struct page_reader;

/* One event as the kernel wrote it; @data is good until the reader's next record. */
struct raw_record {
	uint64_t time_ns;
	const uint8_t *data;
	uint32_t size;
	int buffer; /* whose it is: place in trace_file.buffers */
	bool missed; /* events were lost between the record before and this one */
	uint64_t nr_missed; /* 0: not counted */
};

/* @file must stay as long as the reader. */
struct page_reader *page_reader_new(struct trace_file *file, const struct cpu_data *data);
void page_reader_free(struct page_reader *reader);

/* Returns 1 and the next record, 0 at the end, -1 after one line on stderr. */
int page_reader_next(struct page_reader *reader, struct raw_record *record);

/*
 * The time of the last record of @data, of which the end alone is read. Returns 1, 0 when it has no
 * record, -1 silently when that cannot be told: it is damaged there.
 */
int page_reader_last_time(struct trace_file *file, const struct cpu_data *data, uint64_t *time_ns);

/* Numbers of a record or page, in the file's byte order. */
static inline uint16_t read_u16(const uint8_t *bytes, bool swap)
{
	uint16_t value;

	__builtin_memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap16(value) : value;
}

static inline uint32_t read_u32(const uint8_t *bytes, bool swap)
{
	uint32_t value;

	__builtin_memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap32(value) : value;
}

static inline uint64_t read_u64(const uint8_t *bytes, bool swap)
{
	uint64_t value;

	__builtin_memcpy(&value, bytes, sizeof(value));
	return swap ? __builtin_bswap64(value) : value;
}

#endif /* ANNOT_TRACE_PAGES_H */
