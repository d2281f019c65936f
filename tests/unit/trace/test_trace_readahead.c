// SPDX-License-Identifier: GPL-2.0
/*
 * Whatever number of threads decompresses ahead, the same records come out, or the same failure.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>
#include <zstd.h>

#include "trace/file/merge.h"
#include "trace/file/trace_file_open.h"

#define PAGE_BYTES 4096u
#define PAGE_EVENTS 500u
#define NR_CPUS 5
#define NR_CHUNKS 100
#define LARGE_CHUNK 60 /* of each CPU, more than is read ahead */
#define LARGE_PAGES 40

struct outcome {
	uint64_t nr;
	uint64_t hash; /* of the records, in order */
	int failed;
};

static void no_format(void *context, const char *system, const char *text)
{
	(void)context;
	(void)system;
	(void)text;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x9e3779b97f4a7c15ull + (hash >> 32);
}

static struct outcome read_with(struct trace_file *file, int nr_workers)
{
	struct outcome outcome = { 0 };
	struct merge_source *source;
	struct merge merge;

	outcome.failed = merge_open(&merge, file, nr_workers);
	while (!outcome.failed && (source = merge_head(&merge))) {
		const struct raw_record *record = &source->record;

		outcome.nr++;
		outcome.hash = mix(outcome.hash, record->time_ns);
		outcome.hash = mix(outcome.hash, (uint64_t)source->cpu);
		for (uint32_t i = 0; i < record->size; i++)
			outcome.hash = mix(outcome.hash, record->data[i]);
		outcome.failed = merge_advance(&merge);
	}
	merge_close(&merge);
	assert_int_equal(file->pages_bytes, 0);
	return outcome;
}

static struct outcome read_with_all(struct trace_file *file)
{
	static const int workers[] = { 1, 2, 8 };
	struct outcome alone = read_with(file, 0);

	for (size_t i = 0; i < sizeof(workers) / sizeof(workers[0]); i++) {
		struct outcome outcome = read_with(file, workers[i]);

		assert_int_equal(outcome.nr, alone.nr);
		assert_int_equal(outcome.hash, alone.hash);
		assert_int_equal(outcome.failed, alone.failed);
	}
	return alone;
}

/* A file that is made by hand: of each CPU, the number of its chunks and the chunks. */
struct made {
	uint8_t *bytes;
	size_t nr_bytes;
	struct cpu_data cpus[NR_CPUS];
	uint64_t chunk_in_the_middle; /* offset of what a chunk of the last CPU holds */
};

static void put(struct made *made, const void *bytes, size_t nr_bytes)
{
	memcpy(made->bytes + made->nr_bytes, bytes, nr_bytes);
	made->nr_bytes += nr_bytes;
}

static void put_u32(struct made *made, uint32_t value)
{
	put(made, &value, sizeof(value));
}

/* Events of one word, 5 + cpu ns from each other. */
static void fill_page(uint8_t *page, int cpu, uint64_t start_ns)
{
	uint32_t delta = 5 + (uint32_t)cpu;
	uint64_t used = PAGE_EVENTS * 8;

	memcpy(page, &start_ns, sizeof(start_ns));
	memcpy(page + 8, &used, sizeof(used));
	for (uint32_t i = 0; i < PAGE_EVENTS; i++) {
		uint32_t words[2] = { delta << 5 | 1, (uint32_t)start_ns + i };

		memcpy(page + 16 + 8 * i, words, sizeof(words));
	}
}

static void put_chunk(struct made *made, int cpu, int chunk)
{
	static uint8_t pages[LARGE_PAGES * PAGE_BYTES], packed[2 * sizeof(pages)];
	size_t nr_pages = chunk == LARGE_CHUNK ? LARGE_PAGES : 1 + (size_t)chunk % 3, size;

	for (size_t i = 0; i < nr_pages; i++)
		fill_page(pages + i * PAGE_BYTES, cpu,
			  1000000u * (uint64_t)(chunk + 1) + 5000u * i + (uint64_t)cpu);
	size = ZSTD_compress(packed, sizeof(packed), pages, nr_pages * PAGE_BYTES, 1);
	assert_false(ZSTD_isError(size));
	put_u32(made, (uint32_t)size);
	put_u32(made, (uint32_t)(nr_pages * PAGE_BYTES));
	if (chunk == NR_CHUNKS / 2)
		made->chunk_in_the_middle = made->nr_bytes;
	put(made, packed, size);
}

static struct made make(void)
{
	struct made made = { .bytes = malloc(32u * 1024 * 1024) };

	assert_non_null(made.bytes);
	for (int cpu = 0; cpu < NR_CPUS; cpu++) {
		struct cpu_data *data = &made.cpus[cpu];

		*data = (struct cpu_data){
			.cpu = cpu,
			.page_bytes = PAGE_BYTES,
			.offset = made.nr_bytes,
			.compressed = true,
		};
		put_u32(&made, NR_CHUNKS);
		for (int chunk = 0; chunk < NR_CHUNKS; chunk++)
			put_chunk(&made, cpu, chunk);
		data->size = made.nr_bytes - data->offset;
	}
	return made;
}

static struct outcome read_made(struct made *made)
{
	struct trace_file file = {
		.path = "test.dat",
		.fd = memfd_create("chunks", 0),
		.size = made->nr_bytes,
		.commit_bytes = 8,
		.page_header_bytes = 16,
		.decompressor = decompressor_new("zstd"),
		.nr_cpus = NR_CPUS,
		.cpus = made->cpus,
	};
	struct outcome outcome;

	assert_true(file.fd >= 0);
	assert_int_equal(write(file.fd, made->bytes, made->nr_bytes), made->nr_bytes);
	outcome = read_with_all(&file);
	decompressor_free(file.decompressor);
	close(file.fd);
	free(made->bytes);
	return outcome;
}

static void test_whole(void **state)
{
	struct made made = make();
	struct outcome outcome;
	uint64_t nr_pages = LARGE_PAGES;

	(void)state;
	for (int chunk = 0; chunk < NR_CHUNKS; chunk++)
		nr_pages += chunk == LARGE_CHUNK ? 0 : 1 + (uint64_t)chunk % 3;
	outcome = read_made(&made);
	assert_int_equal(outcome.failed, 0);
	assert_int_equal(outcome.nr, NR_CPUS * nr_pages * PAGE_EVENTS);
}

static void test_damaged(void **state)
{
	struct made made = make();
	struct outcome outcome;

	(void)state;
	memset(made.bytes + made.chunk_in_the_middle, 0xff, 16);
	outcome = read_made(&made);
	assert_int_equal(outcome.failed, -1);
	assert_true(outcome.nr > NR_CPUS * NR_CHUNKS / 2 * PAGE_EVENTS);
}

static void test_cut_off(void **state)
{
	struct made made = make();
	struct outcome outcome;

	(void)state;
	made.nr_bytes = made.chunk_in_the_middle + 10;
	outcome = read_made(&made);
	assert_int_equal(outcome.failed, -1);
}

/* Nobody waits for what was begun. */
static void test_not_read_to_the_end(void **state)
{
	struct trace_file file;
	struct merge merge;
	glob_t found = { 0 };

	(void)state;
	assert_int_equal(glob("tests/data/zstd-*.dat", 0, NULL, &found), 0);
	for (int nr_workers = 0; nr_workers < 4; nr_workers++) {
		assert_int_equal(trace_file_open(&file, found.gl_pathv[0], no_format, NULL), 0);
		assert_int_equal(merge_open(&merge, &file, nr_workers), 0);
		assert_int_equal(merge_advance(&merge), 0);
		merge_close(&merge);
		trace_file_close(&file);
	}
	globfree(&found);
}

static void test_files(void **state)
{
	glob_t found = { 0 };

	(void)state;
	assert_int_equal(glob("tests/data/*.dat", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct trace_file file;
		struct outcome outcome;

		assert_int_equal(trace_file_open(&file, found.gl_pathv[i], no_format, NULL), 0);
		outcome = read_with_all(&file);
		assert_int_equal(outcome.failed, 0);
		assert_true(outcome.nr);
		trace_file_close(&file);
	}
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),	cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_cut_off), cmocka_unit_test(test_not_read_to_the_end),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
