// SPDX-License-Identifier: GPL-2.0
/*
 * The overview as a page has it: what stands before its script is bounded however long the trace is,
 * and tells the same in fewer buckets.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page/overview/levels.h"

#define BUCKET_NS 1024
#define MOST_FIRST_BYTES 131072
#define MOST_FIRST_BUCKETS 2048

/* Stands in for the reader of traces. */
struct trace {
	struct trace_info info;
};

const struct trace_info *trace_info(const struct trace *trace)
{
	return &trace->info;
}

/* Threads that change their state several times in each of so many buckets. */
static void add_threads(struct overview *overview, size_t nr_threads, uint64_t nr_buckets)
{
	srand(1);
	for (size_t thread = 0; thread < nr_threads; thread++) {
		uint64_t at_ns = 0, end_ns = nr_buckets * BUCKET_NS - 1;

		while (at_ns < end_ns) {
			uint64_t to_ns = at_ns + 1 + (uint64_t)rand() % (BUCKET_NS / 2);

			to_ns = to_ns < end_ns ? to_ns : end_ns;
			overview_add_state(overview, (uint32_t)thread,
					   STATE_RUNNING + (enum thread_state)(rand() % 3), at_ns,
					   to_ns);
			at_ns = to_ns;
		}
	}
}

static struct overview_levels levels_of(size_t nr_threads, uint64_t nr_buckets, uint64_t nr_events)
{
	struct trace trace = { .info = { .nr_events = nr_events } };
	struct model rest = { .trace = &trace };
	struct overview *overview = overview_new(nr_buckets * BUCKET_NS, nr_buckets * BUCKET_NS);
	struct overview_levels levels = { 0 };

	add_threads(overview, nr_threads, nr_buckets);
	assert_int_equal(overview_levels_pack(&levels, overview, &rest), 0);
	overview_free(overview);
	return levels;
}

static void test_small(void **state)
{
	struct overview_levels levels = levels_of(2, 4096, 100000);

	(void)state;
	assert_int_equal(levels.first.nr_buckets, 4096);
	assert_int_equal(levels.first.bucket_ns, BUCKET_NS);
	assert_int_equal(levels.fine.block.nr_bytes, 0);
	overview_levels_free(&levels);
}

/* All the detail is kept, but not before the first drawing. */
static void test_any_length(void **state)
{
	(void)state;
	for (uint64_t nr_buckets = 8192; nr_buckets <= 65536; nr_buckets *= 2) {
		struct overview_levels levels = levels_of(10, nr_buckets, nr_buckets * 1024);

		assert_int_equal(levels.fine.nr_buckets, nr_buckets);
		assert_true(levels.fine.block.nr_bytes > MOST_FIRST_BYTES);
		assert_in_range(levels.first.block.nr_bytes, 1, MOST_FIRST_BYTES);
		assert_in_range(levels.first.nr_buckets, 1, MOST_FIRST_BUCKETS - 1);
		assert_int_equal(levels.first.nr_buckets * levels.first.bucket_ns,
				 nr_buckets * BUCKET_NS);
		overview_levels_free(&levels);
	}
}

/* So many busy threads do not fit in as many buckets as there are for few. */
static void test_many_threads(void **state)
{
	struct overview_levels levels = levels_of(100, 4096, 0);

	(void)state;
	assert_int_equal(levels.fine.nr_buckets, 2048);
	assert_in_range(levels.first.block.nr_bytes, 1, MOST_FIRST_BYTES);
	assert_in_range(levels.first.nr_buckets, 128, 1023);
	overview_levels_free(&levels);
}

/* As if the trace had been divided into the buckets of the first level from the start. */
static void test_same(void **state)
{
	struct overview_levels levels = levels_of(10, 16384, 16384 * 1024);
	struct overview *overview = overview_new(levels.first.bucket_ns * 4096, 0);
	struct packed_block packed = { 0 };
	struct block block = { 0 };

	(void)state;
	add_threads(overview, 10, 16384);
	assert_int_equal(overview_bucket_ns(overview), levels.first.bucket_ns);
	overview_write(overview, &(struct model){ 0 }, &block);
	assert_int_equal(block_pack(&block, &packed), 0);
	assert_int_equal(packed.nr_bytes, levels.first.block.nr_bytes);
	assert_memory_equal(packed.bytes, levels.first.block.bytes, packed.nr_bytes);
	free(packed.bytes);
	block_free(&block);
	overview_free(overview);
	overview_levels_free(&levels);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_any_length),
		cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_same),
	};

	return cmocka_run_group_tests_name("page levels", tests, NULL, NULL);
}
