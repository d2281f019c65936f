// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Counters that annot record reads in groups: whose counts they are, in which order, who is believed, what was lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/events/unmeasured.h"
#include "events.h"

#define READER 10
#define WORKER 11
#define OTHER 12

/* READER runs on CPU 0 from 1000 to 9000, WORKER on CPU 1 until 5000, then OTHER. The group has two counters. */
static void begin(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, READER, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, WORKER, TRACE_OUT_RUNNABLE);
	feed_group_event_at(1000, 0, READER, 0, 1);
	feed_group_event_at(1000, 0, READER, 0, 2);
	feed_switch_at(5000, 1, WORKER, OTHER, TRACE_OUT_SLEEPING);
}

static struct model *end(void)
{
	feed_switch_at(9000, 0, READER, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(9000, 1, OTHER, 0, TRACE_OUT_SLEEPING);
	return script_end();
}

static uint32_t find_thread(const struct model *model, int32_t tid)
{
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].tid == tid)
			return i;
	}
	return MODEL_NO_THREAD;
}

static void expect_row(const struct model *model, size_t row, uint64_t start_ns, uint64_t end_ns,
		       int32_t tid, uint64_t count)
{
	const struct slice_count_table *got = &model->slice_counts;

	assert_int_equal(got->start_ns[row], start_ns);
	assert_int_equal(got->end_ns[row], end_ns);
	assert_int_equal(got->thread[row], find_thread(model, tid));
	assert_int_equal(got->counts[row * got->nr_counters], count);
}

/* They come late, of one CPU after the other, and are put in the order of their ends. */
static void test_rows(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_group_rows_at(8000, 0, READER, 0, 1, 1000,
			   "t3000,11,7,70|t1000,11,5,50|t2500,12,1,10");
	feed_group_rows_at(8000, 0, READER, 0, 0, 1000, "t2000,10,3,30|t2000,10,4,40");
	model = end();
	assert_int_equal(model->nr_pmu_events, 2);
	assert_int_equal(model->slice_counts.nr, 5);
	expect_row(model, 0, 0, 2000, READER, 3);
	expect_row(model, 1, 0, 3000, WORKER, 7);
	assert_int_equal(model->slice_counts.counts[2 * 1 + 1], 70);
	assert_int_equal(model->slice_counts.cpu[1], 1);
	assert_int_equal(model->slice_counts.invalid[1], 0);
	expect_row(model, 4, 4000, 6500, OTHER, 1);
	model_free(model);
}

/* A row that ends at a switch ends with it; one that ends at a tick, or at no such switch, when it was told. */
static void test_ends_at_switches(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_switch_at(9000, 1, OTHER, WORKER, TRACE_OUT_SLEEPING);
	feed_switch_at(109000, 1, WORKER, 0, TRACE_OUT_SLEEPING);
	feed_group_rows_at(200000, 0, READER, 0, 1, 1000, "t2900,11,1,0|200,11,2,0|3800,12,3,0");
	feed_group_rows_at(200000, 0, READER, 0, 1, 7900, "50100,11,4,0|50100,11,5,0|1000,12,6,0");
	model = end();
	expect_row(model, 0, 0, 2900, WORKER, 1);
	/* Told to end at 4100: the switch came then, by another look at the clock. */
	expect_row(model, 1, 2900, 4000, WORKER, 2);
	expect_row(model, 2, 4000, 8000, OTHER, 3);
	/* None is so near to 58000. */
	expect_row(model, 3, 8000, 57000, WORKER, 4);
	expect_row(model, 4, 57000, 108000, WORKER, 5);
	/* It was not OTHER that ran. */
	expect_row(model, 5, 108000, 108100, OTHER, 6);
	model_free(model);
}

/* A thread that ends has no number any more: it is who leaves the CPU next. */
static void test_ending_thread(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_switch_at(25000, 1, OTHER, 0, TRACE_OUT_DEAD);
	feed_group_rows_at(30000, 0, READER, 0, 1, 1000,
			   "t3000,11,1,0|950,11,2,0|t10000,,3,0|9900,,4,0");
	feed_group_rows_at(30000, 0, READER, 0, 1, 24850, "9,,5,0");
	model = end();
	expect_row(model, 1, 3000, 4000, WORKER, 2);
	expect_row(model, 2, 4000, 13950, OTHER, 3);
	expect_row(model, 3, 13950, 24000, OTHER, 4);
	/* Nobody leaves after that. */
	assert_int_equal(model->slice_counts.nr, 4);
	model_free(model);
}

/* While one group counts, the other does not. */
static void test_turns(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_group_event_at(1000, 0, READER, 1, 3);
	feed_group_rows_at(8000, 0, READER, 0, 1, 1000, "t2000,11,7,70");
	feed_group_rows_at(8000, 0, READER, 1, 1, 3000, "t500,11|t1500,11,9");
	model = end();
	assert_int_equal(model->slice_counts.nr_counters, 3);
	assert_int_equal(model->slice_counts.invalid[0], 1u << 2);
	/* In between, neither does. */
	assert_int_equal(model->slice_counts.invalid[1], 7);
	assert_int_equal(model->slice_counts.invalid[2], 3);
	assert_int_equal(model->slice_counts.counts[3 * 2 + 2], 9);
	model_free(model);
}

/* Only who told of the first event. */
static void test_forged(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_group_event_at(5500, 1, OTHER, 0, 3);
	feed_group_rows_at(6000, 1, OTHER, 0, 1, 1000, "t3000,11,1000000,0");
	feed_group_gap_at(6000, 1, OTHER, 0, 1, 1000, 4000);
	feed_group_rows_at(8000, 0, READER, 0, 1, 1000, "t4000,11,7,70");
	model = end();
	assert_int_equal(model->nr_pmu_events, 2);
	assert_int_equal(model->slice_counts.nr, 1);
	assert_int_equal(model->pmu_gaps.nr, 0);
	expect_row(model, 0, 0, 4000, WORKER, 7);
	model_free(model);
}

/* Of more or fewer counts than the group has counters, of a group that is not told, from before the trace. */
static void test_odd_rows(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_group_rows_at(8000, 0, READER, 0, 1, 1000, "t1000,11,1|t1000,11,1,2,3|t1000,11,7,70");
	feed_group_rows_at(8000, 0, READER, 1, 1, 1000, "t1000,11,1,1");
	feed_group_rows_at(8000, 0, READER, 31, 1, 1000, "t1000,11,1,1");
	feed_group_rows_at(8000, 0, READER, 0, 1, 400, "t800,11,5,5|t800,11,6,60");
	model = end();
	assert_int_equal(model->nr_odd_counts, 2);
	assert_int_equal(model->slice_counts.nr, 2);
	expect_row(model, 0, 200, 1000, WORKER, 6);
	expect_row(model, 1, 2000, 3000, WORKER, 7);
	model_free(model);
}

/* Readings that were lost: whoever ran meanwhile was not measured. */
static void test_gap(void **state)
{
	struct unmeasured_list list;
	struct model *model;

	(void)state;
	begin();
	feed_group_rows_at(8000, 0, READER, 0, 1, 1000, "t1000,11,1,2");
	feed_group_gap_at(8000, 0, READER, 0, 1, 2000, 6000);
	feed_group_rows_at(8000, 0, READER, 0, 1, 6000, "t2000,12,1,2");
	model = end();
	list = unmeasured_compute(model);
	for (uint8_t event = 0; event < 2; event++) {
		assert_int_equal(unmeasured_within(&list, find_thread(model, WORKER), event, 0,
						   8000),
				 3000);
		assert_int_equal(unmeasured_within(&list, find_thread(model, OTHER), event, 0,
						   8000),
				 1000);
	}
	unmeasured_free(&list);
	model_free(model);
}

/* A line was lost: rows begin later than those before ended. Those behind a gap follow it. */
static void test_missing_line(void **state)
{
	struct unmeasured_list list;
	struct model *model;

	(void)state;
	begin();
	feed_group_rows_at(8000, 0, READER, 0, 1, 1000, "t1000,11,1,2");
	feed_group_rows_at(8000, 0, READER, 0, 1, 3500, "t500,11,1,2");
	feed_group_gap_at(8000, 0, READER, 0, 1, 4000, 4100);
	feed_group_rows_at(8000, 0, READER, 0, 1, 4100, "t200,11,1,2");
	model = end();
	assert_int_equal(model->pmu_gaps.nr, 4);
	list = unmeasured_compute(model);
	assert_int_equal(unmeasured_within(&list, find_thread(model, WORKER), 0, 0, 8000),
			 1500 + 100);
	unmeasured_free(&list);
	model_free(model);
}

/* CPU 1 came on line when the counters had been opened: who ran there was not measured. */
static void test_uncounted_cpu(void **state)
{
	struct unmeasured_list list;
	struct model *model;

	(void)state;
	begin();
	feed_switch_at(20000000, 1, OTHER, WORKER, TRACE_OUT_SLEEPING);
	feed_switch_at(30000000, 1, WORKER, OTHER, TRACE_OUT_SLEEPING);
	feed_group_rows_at(40000000, 0, READER, 0, 0, 1000, "t39999000,10,1,2");
	model = end();
	list = unmeasured_compute(model);
	assert_int_equal(unmeasured_within(&list, find_thread(model, WORKER), 0, 0, UINT64_MAX),
			 4000 + 10000000);
	assert_int_equal(unmeasured_within(&list, find_thread(model, READER), 0, 0, UINT64_MAX), 0);
	unmeasured_free(&list);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),	     cmocka_unit_test(test_ends_at_switches),
		cmocka_unit_test(test_turns),	     cmocka_unit_test(test_ending_thread),
		cmocka_unit_test(test_forged),	     cmocka_unit_test(test_odd_rows),
		cmocka_unit_test(test_gap),	     cmocka_unit_test(test_uncounted_cpu),
		cmocka_unit_test(test_missing_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
