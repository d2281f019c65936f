// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Annotation spans, marks and counters, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "events.h"

#define A 101
#define B 102
#define OUTER 11u
#define INNER 12u

static void assert_span(const struct thread *thread, size_t span, uint64_t start_ns,
			uint64_t end_ns, uint32_t name, unsigned int depth, unsigned int flags)
{
	assert_in_range(span, 0, thread->spans.nr - 1);
	assert_int_equal(thread->spans.start_ns[span], start_ns);
	assert_int_equal(thread->spans.end_ns[span], end_ns);
	assert_int_equal(thread->spans.name[span], name);
	assert_int_equal(thread->spans.depth[span], depth);
	assert_int_equal(thread->spans.flags[span], flags);
}

static void test_nesting(void **state)
{
	const struct thread *thread;
	struct model *model;

	(void)state;
	script_begin();
	feed_begin_at(1000, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_begin_at(1010, 0, A, INNER, TRACE_SPAN_WAIT);
	feed_end_at(1030, 0, A);
	feed_begin_at(1040, 0, A, INNER, TRACE_SPAN_WORK);
	feed_end_at(1050, 0, A);
	feed_end_at(1060, 0, A);
	model = script_end();

	thread = &model->threads[thread_of(model, A, 0)];
	assert_int_equal(thread->spans.nr, 3);
	assert_span(thread, 0, 0, 60, OUTER, 0, 0);
	assert_span(thread, 1, 10, 30, INNER, 1, 0);
	assert_span(thread, 2, 40, 50, INNER, 1, 0);
	assert_int_equal(thread->spans.kind[1], TRACE_SPAN_WAIT);
	assert_int_equal(thread->spans.kind[2], TRACE_SPAN_WORK);
	model_free(model);
}

static void test_threads_do_not_mix(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_begin_at(1000, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_begin_at(1005, 1, B, INNER, TRACE_SPAN_WORK);
	feed_end_at(1010, 0, A);
	feed_end_at(1020, 1, B);
	model = script_end();

	assert_span(&model->threads[thread_of(model, A, 0)], 0, 0, 10, OUTER, 0, 0);
	assert_span(&model->threads[thread_of(model, B, 0)], 0, 5, 20, INNER, 0, 0);
	model_free(model);
}

static void test_begun_before_the_trace(void **state)
{
	const struct thread *thread;
	struct model *model;

	(void)state;
	script_begin();
	feed_end_at(1000, 0, A);
	feed_end_at(1010, 0, A);
	feed_begin_at(1020, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_end_at(1030, 0, A);
	model = script_end();

	thread = &model->threads[thread_of(model, A, 0)];
	assert_int_equal(thread->nr_unmatched_ends, 2);
	assert_int_equal(thread->spans.nr, 1);
	assert_span(thread, 0, 20, 30, OUTER, 0, 0);
	model_free(model);
}

static void test_open_at_the_end(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_begin_at(1000, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_begin_at(1010, 0, A, INNER, TRACE_SPAN_WORK);
	feed_begin_at(1020, 1, B, OUTER, TRACE_SPAN_WORK);
	feed_exit_at(1100, 1, B);
	feed_switch_at(1110, 1, B, 0, TRACE_OUT_DEAD);
	feed_mark_at(1200, 0, A, 1);
	model = script_end();

	assert_span(&model->threads[thread_of(model, A, 0)], 0, 0, 200, OUTER, 0, SPAN_OPEN_END);
	assert_span(&model->threads[thread_of(model, A, 0)], 1, 10, 200, INNER, 1, SPAN_OPEN_END);
	assert_span(&model->threads[thread_of(model, B, 0)], 0, 20, 100, OUTER, 0, SPAN_OPEN_END);
	model_free(model);
}

static void test_deep_nesting(void **state)
{
	const struct thread *thread;
	struct model *model;

	(void)state;
	script_begin();
	for (uint64_t i = 0; i < 300; i++)
		feed_begin_at(1000 + i, 0, A, OUTER, TRACE_SPAN_WORK);
	for (uint64_t i = 0; i < 300; i++)
		feed_end_at(2000 + i, 0, A);
	model = script_end();

	thread = &model->threads[thread_of(model, A, 0)];
	assert_int_equal(thread->spans.nr, 300);
	assert_int_equal(thread->spans.depth[254], 254);
	assert_int_equal(thread->spans.depth[299], 255);
	assert_int_equal(thread->spans.end_ns[299], 1000);
	assert_int_equal(thread->spans.end_ns[0], 1299);
	assert_int_equal(thread->nr_unmatched_ends, 0);
	model_free(model);
}

static void test_marks_and_counters(void **state)
{
	const struct mark_table *marks;
	struct model *model;

	(void)state;
	script_begin();
	feed_mark_at(1000, 0, A, OUTER);
	feed_counter_at(1010, 0, A, INNER, -5);
	model = script_end();

	marks = &model->threads[thread_of(model, A, 0)].marks;
	assert_int_equal(marks->nr, 2);
	assert_int_equal(marks->name[0], OUTER);
	assert_int_equal(marks->is_counter[0], 0);
	assert_int_equal(marks->has_value[0], 0);
	assert_int_equal(marks->time_ns[1], 10);
	assert_int_equal(marks->is_counter[1], 1);
	assert_int_equal(marks->value[1], -5);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nesting),
		cmocka_unit_test(test_threads_do_not_mix),
		cmocka_unit_test(test_begun_before_the_trace),
		cmocka_unit_test(test_open_at_the_end),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_marks_and_counters),
	};

	return RUN_IN_WINDOWS(tests);
}
