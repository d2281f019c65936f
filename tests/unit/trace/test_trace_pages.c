// SPDX-License-Identifier: GPL-2.0
/*
 * Pages of the ring buffer, made by hand: each kind of entry, each machine, and what is wrong.
 */
#include <byteswap.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/file/pages.h"

#define PAGE_BYTES 4096u

#define TYPE_PADDING 29u
#define TYPE_TIME_EXTEND 30u
#define TYPE_TIME_STAMP 31u

/* A page being written, for a machine with this byte order and word size. */
struct writer {
	bool swap;
	uint32_t commit_bytes;
	uint8_t page[PAGE_BYTES];
	uint32_t used; /* behind the header */
};

static void put_u32(const struct writer *writer, uint8_t *at, uint32_t value)
{
	value = writer->swap ? bswap_32(value) : value;
	memcpy(at, &value, sizeof(value));
}

static void put_u64(const struct writer *writer, uint8_t *at, uint64_t value)
{
	value = writer->swap ? bswap_64(value) : value;
	memcpy(at, &value, sizeof(value));
}

static void put_long(const struct writer *writer, uint8_t *at, uint64_t value)
{
	if (writer->commit_bytes == 8)
		put_u64(writer, at, value);
	else
		put_u32(writer, at, (uint32_t)value);
}

static uint32_t header_bytes(const struct writer *writer)
{
	return 8 + writer->commit_bytes;
}

static uint8_t *end_of(struct writer *writer)
{
	return writer->page + header_bytes(writer) + writer->used;
}

static void begin_page(struct writer *writer, bool swap, uint32_t commit_bytes, uint64_t time)
{
	*writer = (struct writer){ .swap = swap, .commit_bytes = commit_bytes };
	put_u64(writer, writer->page, time);
}

static void add_head(struct writer *writer, uint32_t type, uint32_t delta)
{
	bool big_endian = writer->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	put_u32(writer, end_of(writer), big_endian ? type << 27 | delta : delta << 5 | type);
	writer->used += 4;
}

static void add_word(struct writer *writer, uint32_t word)
{
	put_u32(writer, end_of(writer), word);
	writer->used += 4;
}

/* An event of one word. */
static void add_event(struct writer *writer, uint32_t delta, uint32_t word)
{
	add_head(writer, 1, delta);
	add_word(writer, word);
}

static void end_page(struct writer *writer, uint64_t flags)
{
	put_long(writer, writer->page + 8, writer->used | flags);
}

/* A file of nothing but pages, as trace_file_open() would describe it. */
static struct trace_file file_of(const struct writer *writer, const void *pages, size_t bytes,
				 struct cpu_data *data)
{
	struct trace_file file = {
		.path = "test.dat",
		.fd = memfd_create("pages", 0),
		.size = bytes,
		.swap = writer->swap,
		.commit_bytes = writer->commit_bytes,
		.page_header_bytes = header_bytes(writer),
	};

	assert_true(file.fd >= 0);
	assert_int_equal(write(file.fd, pages, bytes), bytes);
	*data = (struct cpu_data){ .page_bytes = PAGE_BYTES, .size = bytes };
	return file;
}

/* Reads all records of @file; returns how many, or -1 as the reader did. */
static int read_all(struct trace_file *file, const struct cpu_data *data,
		    struct raw_record *records, uint32_t *words, int capacity)
{
	struct page_reader *reader = page_reader_new(file, data, NULL);
	int nr = 0, got;
	struct raw_record record;

	while ((got = page_reader_next(reader, &record)) > 0) {
		assert_in_range(nr, 0, capacity - 1);
		records[nr] = record;
		words[nr++] = record.size >= 4 ? load_u32(record.data, file->swap) : 0;
	}
	page_reader_free(reader);
	close(file->fd);
	return got < 0 ? -1 : nr;
}

static int read_page(struct writer *writer, struct raw_record *records, uint32_t *words,
		     int capacity)
{
	struct cpu_data data;
	struct trace_file file = file_of(writer, writer->page, PAGE_BYTES, &data);

	return read_all(&file, &data, records, words, capacity);
}

static void one_machine(bool swap, uint32_t commit_bytes)
{
	struct raw_record records[8];
	uint32_t words[8];
	struct writer writer;

	begin_page(&writer, swap, commit_bytes, 1ull << 40);
	add_event(&writer, 0, 0xa1);
	add_event(&writer, 5, 0xa2);
	/* 3 << 27 ticks and 7 more */
	add_head(&writer, TYPE_TIME_EXTEND, 7);
	add_word(&writer, 3);
	add_event(&writer, 1, 0xa3);
	/* an event that was taken back: two more words */
	add_head(&writer, TYPE_PADDING, 2);
	add_word(&writer, 12);
	add_word(&writer, 0xbad);
	add_word(&writer, 0xbad);
	/* longer than the head can tell: 120 bytes */
	add_head(&writer, 0, 4);
	add_word(&writer, 124);
	add_word(&writer, 0xa4);
	writer.used += 116;
	/* an absolute time; its upper bits come from the time before */
	add_head(&writer, TYPE_TIME_STAMP, 9);
	add_word(&writer, 1u << 20);
	add_event(&writer, 0, 0xa5);
	end_page(&writer, 0);

	assert_int_equal(read_page(&writer, records, words, 8), 5);
	assert_int_equal(words[0], 0xa1);
	assert_true(records[0].time_ns == 1ull << 40);
	assert_true(records[1].time_ns == (1ull << 40) + 5);
	assert_true(records[2].time_ns == (1ull << 40) + 5 + 7 + (3ull << 27) + 1);
	assert_int_equal(words[2], 0xa3);
	assert_true(records[3].time_ns == records[2].time_ns + 2 + 4);
	assert_int_equal(records[3].size, 120);
	assert_int_equal(words[3], 0xa4);
	assert_true(records[4].time_ns == ((1ull << 47) | 9));
	assert_int_equal(words[4], 0xa5);
}

static void test_each_machine(void **state)
{
	(void)state;
	one_machine(false, 8);
	one_machine(false, 4);
	one_machine(true, 8);
	one_machine(true, 4);
}

static void test_padding_to_the_end(void **state)
{
	struct raw_record records[4];
	uint32_t words[4];
	struct writer writer;

	(void)state;
	begin_page(&writer, false, 8, 100);
	add_event(&writer, 0, 1);
	add_head(&writer, TYPE_PADDING, 0);
	add_event(&writer, 0, 0xbad);
	end_page(&writer, 0);
	assert_int_equal(read_page(&writer, records, words, 4), 1);
}

static void test_empty_page(void **state)
{
	struct raw_record records[1];
	uint32_t words[1];
	struct writer writer;

	(void)state;
	begin_page(&writer, false, 8, 100);
	end_page(&writer, 0);
	assert_int_equal(read_page(&writer, records, words, 1), 0);
}

/* Flags in bits 31 and 30 of the length; how many were missed stands behind the last entry. */
static void test_missed_events(void **state)
{
	static uint8_t pages[4 * PAGE_BYTES];
	struct raw_record records[8];
	uint32_t words[8];
	struct writer writer;
	struct trace_file file;
	struct cpu_data data;

	(void)state;
	begin_page(&writer, false, 8, 100);
	add_event(&writer, 0, 1);
	add_event(&writer, 1, 2);
	end_page(&writer, 0);
	memcpy(pages, writer.page, PAGE_BYTES);
	begin_page(&writer, false, 8, 200);
	add_event(&writer, 0, 3);
	add_event(&writer, 1, 4);
	put_long(&writer, end_of(&writer), 77);
	end_page(&writer, 3u << 30);
	memcpy(pages + PAGE_BYTES, writer.page, PAGE_BYTES);
	begin_page(&writer, false, 8, 300);
	add_event(&writer, 0, 5);
	/* As a 64-bit kernel has it: the flag's sign goes on through the upper half. */
	end_page(&writer, 0xffffffff80000000ull);
	memcpy(pages + 2 * PAGE_BYTES, writer.page, PAGE_BYTES);
	/* Full to the last byte: there is no room for the number. */
	begin_page(&writer, false, 8, 400);
	add_head(&writer, 0, 0);
	add_word(&writer, PAGE_BYTES - 16 - 4);
	writer.used = PAGE_BYTES - 16;
	end_page(&writer, 3u << 30);
	memcpy(pages + 3 * PAGE_BYTES, writer.page, PAGE_BYTES);

	file = file_of(&writer, pages, sizeof(pages), &data);
	assert_int_equal(read_all(&file, &data, records, words, 8), 6);
	assert_false(records[0].missed || records[1].missed || records[3].missed);
	assert_true(records[2].missed);
	assert_int_equal(records[2].nr_missed, 77);
	assert_true(records[4].missed);
	assert_int_equal(records[4].nr_missed, 0);
	assert_true(records[5].missed);
	assert_int_equal(records[5].nr_missed, 0);
}

static void test_tsc(void **state)
{
	struct raw_record record;
	struct page_reader *reader;
	struct trace_file file;
	struct cpu_data data;
	struct writer writer;

	(void)state;
	begin_page(&writer, false, 8, 3ull << 61);
	add_event(&writer, 0, 1);
	end_page(&writer, 0);
	file = file_of(&writer, writer.page, PAGE_BYTES, &data);
	file.tsc_mult = 1u << 31;
	file.tsc_shift = 32;
	reader = page_reader_new(&file, &data, NULL);
	assert_int_equal(page_reader_next(reader, &record), 1);
	assert_true(record.time_ns == 3ull << 60);
	page_reader_free(reader);
	close(file.fd);
}

static void test_time_does_not_run_back(void **state)
{
	static uint8_t pages[2 * PAGE_BYTES];
	struct raw_record records[4];
	uint32_t words[4];
	struct trace_file file;
	struct cpu_data data;
	struct writer writer;

	(void)state;
	begin_page(&writer, false, 8, 500);
	add_event(&writer, 0, 1);
	end_page(&writer, 0);
	memcpy(pages, writer.page, PAGE_BYTES);
	begin_page(&writer, false, 8, 400);
	add_event(&writer, 0, 2);
	add_event(&writer, 200, 3);
	end_page(&writer, 0);
	memcpy(pages + PAGE_BYTES, writer.page, PAGE_BYTES);
	file = file_of(&writer, pages, sizeof(pages), &data);
	assert_int_equal(read_all(&file, &data, records, words, 4), 3);
	assert_int_equal(records[1].time_ns, 500);
	assert_int_equal(records[2].time_ns, 600);
}

/* What is not a whole page at the end was cut off, and is left out. */
static void test_part_of_a_page(void **state)
{
	static uint8_t pages[PAGE_BYTES + 100];
	struct raw_record records[2];
	uint32_t words[2];
	struct trace_file file;
	struct cpu_data data;
	struct writer writer;

	(void)state;
	begin_page(&writer, false, 8, 500);
	add_event(&writer, 0, 1);
	end_page(&writer, 0);
	memcpy(pages, writer.page, PAGE_BYTES);
	memcpy(pages + PAGE_BYTES, writer.page, 100);
	file = file_of(&writer, pages, sizeof(pages), &data);
	assert_int_equal(read_all(&file, &data, records, words, 2), 1);
}

/* More pages than are read at once. */
static void test_many_pages(void **state)
{
	enum {
		NR_PAGES = 100
	};
	static uint8_t pages[NR_PAGES * PAGE_BYTES];
	static struct raw_record records[NR_PAGES];
	static uint32_t words[NR_PAGES];
	struct trace_file file;
	struct cpu_data data;
	struct writer writer;

	(void)state;
	for (uint32_t i = 0; i < NR_PAGES; i++) {
		begin_page(&writer, false, 8, 1000 + i);
		add_event(&writer, 0, i);
		end_page(&writer, 0);
		memcpy(pages + i * PAGE_BYTES, writer.page, PAGE_BYTES);
	}
	file = file_of(&writer, pages, sizeof(pages), &data);
	assert_int_equal(read_all(&file, &data, records, words, NR_PAGES), NR_PAGES);
	for (uint32_t i = 0; i < NR_PAGES; i++)
		assert_int_equal(words[i], i);
}

static int last_time(const struct writer *writer, const void *pages, size_t bytes,
		     uint64_t *time_ns)
{
	struct cpu_data data;
	struct trace_file file = file_of(writer, pages, bytes, &data);
	int got = page_reader_last_time(&file, &data, time_ns);

	assert_int_equal(file.pages_bytes, 0);
	close(file.fd);
	return got;
}

/* Behind the last event may be pages that were not written, and part of one. */
static void test_last_time(void **state)
{
	static uint8_t pages[68 * PAGE_BYTES + 100];
	struct writer writer;
	uint64_t time_ns;

	(void)state;
	begin_page(&writer, false, 8, 500);
	add_event(&writer, 0, 1);
	end_page(&writer, 0);
	memcpy(pages, writer.page, PAGE_BYTES);
	begin_page(&writer, false, 8, 600);
	add_event(&writer, 3, 2);
	add_event(&writer, 4, 3);
	end_page(&writer, 0);
	memcpy(pages + PAGE_BYTES, writer.page, PAGE_BYTES);
	assert_int_equal(last_time(&writer, pages, PAGE_BYTES, &time_ns), 1);
	assert_int_equal(time_ns, 500);
	assert_int_equal(last_time(&writer, pages, 2 * PAGE_BYTES, &time_ns), 1);
	assert_int_equal(time_ns, 607);
	assert_int_equal(last_time(&writer, pages, 5 * PAGE_BYTES + 100, &time_ns), 1);
	assert_int_equal(time_ns, 607);
	assert_int_equal(last_time(&writer, pages, 68 * PAGE_BYTES, &time_ns), -1);
	assert_int_equal(last_time(&writer, pages, 100, &time_ns), 0);
	assert_int_equal(last_time(&writer, pages + 2 * PAGE_BYTES, 2 * PAGE_BYTES, &time_ns), 0);
}

static void test_last_time_is_damaged(void **state)
{
	struct writer writer;
	uint64_t time_ns;

	(void)state;
	begin_page(&writer, false, 8, 500);
	writer.used = PAGE_BYTES - 16 + 1;
	end_page(&writer, 0);
	assert_int_equal(last_time(&writer, writer.page, PAGE_BYTES, &time_ns), -1);
}

/* Each of these would make a reader that believes it leave the page, or never end. */
static void assert_damaged(struct writer *writer)
{
	struct raw_record records[600];
	uint32_t words[600];

	assert_int_equal(read_page(writer, records, words, 600), -1);
}

static void test_damaged(void **state)
{
	struct writer writer;

	(void)state;
	begin_page(&writer, false, 8, 0);
	writer.used = PAGE_BYTES - 16 + 1;
	end_page(&writer, 0);
	assert_damaged(&writer);

	begin_page(&writer, false, 8, 0);
	add_head(&writer, 28, 0);
	add_word(&writer, 0);
	end_page(&writer, 0);
	assert_damaged(&writer);

	for (uint32_t length = 0; length < 4; length++) {
		begin_page(&writer, false, 8, 0);
		add_head(&writer, 0, 0);
		add_word(&writer, length);
		end_page(&writer, 0);
		assert_damaged(&writer);
	}

	begin_page(&writer, false, 8, 0);
	add_head(&writer, 0, 0);
	add_word(&writer, 0xffffffff);
	end_page(&writer, 0);
	assert_damaged(&writer);

	begin_page(&writer, false, 8, 0);
	add_head(&writer, TYPE_PADDING, 1);
	add_word(&writer, 0xfffffffc);
	end_page(&writer, 0);
	assert_damaged(&writer);

	begin_page(&writer, false, 8, 0);
	add_head(&writer, TYPE_TIME_EXTEND, 1);
	end_page(&writer, 0);
	assert_damaged(&writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_machine),
		cmocka_unit_test(test_padding_to_the_end),
		cmocka_unit_test(test_empty_page),
		cmocka_unit_test(test_missed_events),
		cmocka_unit_test(test_tsc),
		cmocka_unit_test(test_time_does_not_run_back),
		cmocka_unit_test(test_part_of_a_page),
		cmocka_unit_test(test_many_pages),
		cmocka_unit_test(test_last_time),
		cmocka_unit_test(test_last_time_is_damaged),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
