// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Requests to block devices: matched by device and sector, and what is made of those whose begin or end is missing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/waits/block_io.h"
#include "events.h"

#define A 10
#define SDA 1u
#define SDB 2u

static void expect(const struct model *model, const struct block_io_row *wanted, size_t nr)
{
	const struct block_io_table *got = &model->block_io;

	assert_int_equal(got->nr, nr);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(got->start_ns[i], wanted[i].start_ns);
		assert_int_equal(got->end_ns[i], wanted[i].end_ns);
		assert_int_equal(got->device[i], wanted[i].device);
		assert_int_equal(got->bytes[i], wanted[i].bytes);
		assert_int_equal(got->thread[i], wanted[i].thread);
		assert_int_equal(got->cpu[i], wanted[i].cpu);
		assert_int_equal(got->op[i], wanted[i].op);
		assert_int_equal(got->flags[i], wanted[i].flags);
	}
}

#define EXPECT(model, ...)                                          \
	expect(model, (const struct block_io_row[]){ __VA_ARGS__ }, \
	       sizeof((const struct block_io_row[]){ __VA_ARGS__ }) / sizeof(struct block_io_row))

/* A runs on CPU 0 from 1000 to 9000. */
static void begin(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, A + 1, 0, TRACE_OUT_SLEEPING);
}

static struct model *end(void)
{
	feed_switch_at(9000, 0, A, 0, TRACE_OUT_SLEEPING);
	return script_end();
}

static void issue(uint64_t time_ns, uint32_t dev, uint64_t sector, enum trace_block_op op)
{
	feed_block_at(time_ns, 0, TRACE_BLOCK_ISSUE, dev, sector, op);
}

static void complete(uint64_t time_ns, uint32_t dev, uint64_t sector)
{
	feed_block_at(time_ns, 1, TRACE_BLOCK_COMPLETE, dev, sector, TRACE_BLOCK_OTHER);
}

static void test_requests(void **state)
{
	struct model *model;

	(void)state;
	begin();
	issue(2000, SDA, 100, TRACE_BLOCK_READ);
	issue(2100, SDB, 100, TRACE_BLOCK_WRITE);
	issue(2200, SDA, 200, TRACE_BLOCK_FLUSH);
	complete(2500, SDA, 200);
	complete(2600, SDB, 100);
	complete(2700, SDA, 300); /* whose begin is missing */
	complete(2800, SDA, 100);
	issue(3000, SDA, 100, TRACE_BLOCK_READ);
	complete(3100, SDA, 100);
	model = end();
	EXPECT(model, { 1200, 1500, SDA, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_FLUSH, 0 },
	       { 1100, 1600, SDB, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_WRITE, 0 },
	       { 1000, 1800, SDA, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_READ, 0 },
	       { 2000, 2100, SDA, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_READ, 0 });
	model_free(model);
}

/* Queued, then issued; completed, then done: one request, from the first to the third. */
static void test_both_kinds(void **state)
{
	struct model *model;

	(void)state;
	begin();
	issue(2000, SDA, 100, TRACE_BLOCK_READ);
	issue(2300, SDA, 100, TRACE_BLOCK_READ);
	complete(2500, SDA, 100);
	complete(2600, SDA, 100);
	model = end();
	EXPECT(model, { 1000, 1500, SDA, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_READ, 0 });
	model_free(model);
}

/* A request that others become parts of, in the queue. */
static void test_merged(void **state)
{
	struct model *model;

	(void)state;
	begin();
	issue(2000, SDA, 100, TRACE_BLOCK_WRITE);
	issue(2100, SDA, 108, TRACE_BLOCK_WRITE);
	feed_block_at(2200, 0, TRACE_BLOCK_MERGE, SDA, 108, TRACE_BLOCK_WRITE);
	feed_block_at(2200, 0, TRACE_BLOCK_MERGE, SDA, 116, TRACE_BLOCK_WRITE);
	complete(2500, SDA, 100);
	complete(2600, SDA, 108);
	model = end();
	EXPECT(model, { 1000, 1500, SDA, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_WRITE, 0 });
	model_free(model);
}

/* What is in flight at the end; a completion that may be lost is not taken for a long request. */
static void test_ends_are_missing(void **state)
{
	struct model *model;

	(void)state;
	begin();
	issue(2000, SDA, 100, TRACE_BLOCK_READ);
	feed_lost_at(3000, 1, 2500, 9);
	issue(4000, SDA, 100, TRACE_BLOCK_READ);
	complete(4200, SDA, 100);
	issue(5000, SDA, 200, TRACE_BLOCK_WRITE);
	model = end();
	EXPECT(model,
	       { 1000, 3000, SDA, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_READ,
		 BLOCK_OPEN_END },
	       { 3000, 3200, SDA, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_READ, 0 },
	       { 4000, 8000, SDA, 4096, thread_of(model, A, 0), 0, TRACE_BLOCK_WRITE,
		 BLOCK_OPEN_END });
	model_free(model);
}

/* Completions are missing of more than can be in flight. */
static void test_many(void **state)
{
	struct model *model;
	size_t nr_cut = 0;

	(void)state;
	begin();
	for (uint64_t i = 0; i < 5000; i++)
		issue(2000 + i, SDA, i * 8, TRACE_BLOCK_READ);
	model = end();
	assert_int_equal(model->block_io.nr, 5000);
	for (size_t i = 0; i < model->block_io.nr; i++)
		nr_cut += model->block_io.flags[i] == BLOCK_OPEN_END;
	assert_int_equal(nr_cut, 5000);
	model_free(model);
}

/* Ten reads of 100 to 1000 ns, up to three at once; one write that is not completed. */
static void test_analysis(void **state)
{
	struct block_io block_io;
	struct model *model;

	(void)state;
	begin();
	issue(2000, SDB, 7, TRACE_BLOCK_WRITE);
	issue(2000, SDA, 1, TRACE_BLOCK_READ); /* 1000 */
	issue(2100, SDA, 2, TRACE_BLOCK_READ); /* 900 */
	issue(2200, SDA, 3, TRACE_BLOCK_READ); /* 700 */
	complete(2900, SDA, 3);
	complete(3000, SDA, 1);
	complete(3000, SDA, 2);
	issue(3000, SDA, 4, TRACE_BLOCK_READ); /* 800, as the others end */
	complete(3800, SDA, 4);
	for (uint64_t i = 1; i <= 6; i++) {
		issue(3000 + i * 800, SDA, 10 + i, TRACE_BLOCK_READ);
		complete(3000 + i * 800 + i * 100, SDA, 10 + i);
	}
	model = end();
	block_io = block_io_compute(model);
	assert_int_equal(block_io.nr, 2);
	assert_int_equal(block_io.groups[0].device, SDA);
	assert_int_equal(block_io.groups[0].op, TRACE_BLOCK_READ);
	assert_int_equal(block_io.groups[0].requests, 10);
	assert_int_equal(block_io.groups[0].bytes, 40960);
	assert_int_equal(block_io.groups[0].total_ns, 1000 + 900 + 700 + 800 + 2100);
	assert_int_equal(block_io.groups[0].active_ns, 1000 + 800 + 2100);
	assert_int_equal(block_io.groups[0].most_in_flight, 3);
	assert_int_equal(block_io.groups[0].median_ns, 550);
	assert_int_equal(block_io.groups[0].p90_ns, 1000);
	assert_int_equal(block_io.groups[0].max_ns, 1000);
	assert_int_equal(block_io.groups[0].longest_from_ns, 1000);
	assert_int_equal(block_io.groups[0].longest_to_ns, 2000);
	assert_int_equal(block_io.groups[0].thread, thread_of(model, A, 0));
	assert_int_equal(block_io.groups[0].cut, 0);
	assert_int_equal(block_io.groups[1].device, SDB);
	assert_int_equal(block_io.groups[1].requests, 1);
	assert_int_equal(block_io.groups[1].cut, 1);
	assert_int_equal(block_io.groups[1].total_ns, 0);
	assert_int_equal(block_io.groups[1].most_in_flight, 0);
	block_io_free(&block_io);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests), cmocka_unit_test(test_both_kinds),
		cmocka_unit_test(test_merged),	 cmocka_unit_test(test_ends_are_missing),
		cmocka_unit_test(test_many),	 cmocka_unit_test(test_analysis),
	};

	return RUN_IN_WINDOWS(tests);
}
