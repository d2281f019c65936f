// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Annotations that come into the trace later than they were made.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "events.h"
#include "model/account.h"

#define A 101
#define B 102
#define OUTER 11u
#define INNER 12u
#define POINT 13u

/* Two slices of A, on two CPUs, with B in between; @drained: each slice's annotations at its end. */
static struct model *two_slices(bool drained)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_drained_at(drained ? 1500 : 0);
	feed_begin_at(1100, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_begin_at(1200, 0, A, INNER, TRACE_SPAN_WAIT);
	feed_end_at(1300, 0, A);
	feed_begin_at(1300, 0, A, INNER, TRACE_SPAN_WORK);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1800, 1, B, A, TRACE_OUT_RUNNABLE);
	feed_drained_at(drained ? 2100 : 0);
	feed_end_at(1900, 1, A);
	feed_mark_at(1950, 1, A, POINT);
	feed_end_at(2000, 1, A);
	feed_switch_at(2100, 1, A, B, TRACE_OUT_DEAD);
	return script_end();
}

static void assert_same_account(const struct model *one, const struct model *other, uint32_t thread,
				uint64_t from_ns, uint64_t to_ns)
{
	struct thread_account a, b;

	model_account(one, thread, from_ns, to_ns, &a);
	model_account(other, thread, from_ns, to_ns, &b);
	assert_memory_equal(&a, &b, sizeof(a));
}

static void test_same_as_at_once(void **state)
{
	struct model *once = two_slices(false), *drained = two_slices(true);
	uint32_t at = thread_of(once, A, 0);
	const struct span_table *wanted = &once->threads[at].spans;
	const struct span_table *spans = &drained->threads[at].spans;

	(void)state;
	assert_int_equal(once->duration_ns, drained->duration_ns);
	assert_int_equal(wanted->nr, 3);
	assert_int_equal(spans->nr, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(spans->start_ns[i], wanted->start_ns[i]);
		assert_int_equal(spans->end_ns[i], wanted->end_ns[i]);
		assert_int_equal(spans->name[i], wanted->name[i]);
		assert_int_equal(spans->kind[i], wanted->kind[i]);
		assert_int_equal(spans->depth[i], wanted->depth[i]);
		assert_int_equal(spans->flags[i], wanted->flags[i]);
		assert_int_equal(wanted->drained_ns[i], wanted->start_ns[i]);
		assert_int_equal(spans->drained_ns[i], 500);
		assert_same_account(once, drained, at, spans->start_ns[i], spans->end_ns[i]);
	}
	assert_int_equal(spans->start_ns[0], 100);
	assert_int_equal(spans->end_ns[0], 1000);
	assert_int_equal(drained->threads[at].marks.time_ns[0], 950);
	assert_int_equal(drained->threads[at].marks.drained_ns[0], 1100);
	assert_int_equal(drained->nr_reordered, 0);
	model_free(once);
	model_free(drained);
}

/* What a process writes may be in any order: here it is in one. */
static void test_out_of_order(void **state)
{
	const struct thread *thread;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_drained_at(1500);
	feed_begin_at(1200, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_begin_at(1100, 0, A, INNER, TRACE_SPAN_WORK);
	feed_end_at(1000, 0, A);
	feed_mark_at(900, 0, A, POINT); /* before the trace */
	feed_end_at(1400, 0, A);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	thread = &model->threads[thread_of(model, A, 0)];
	assert_int_equal(model->nr_reordered, 3);
	assert_int_equal(thread->spans.start_ns[0], 200);
	assert_int_equal(thread->spans.end_ns[0], 400);
	assert_int_equal(thread->spans.start_ns[1], 200);
	assert_int_equal(thread->spans.end_ns[1], 200);
	assert_int_equal(thread->marks.time_ns[0], 200);
	model_free(model);
}

/* The first annotations may be older than the first event: they move to the trace's begin. */
static void test_before_the_trace(void **state)
{
	const struct thread *thread;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_drained_at(1500);
	feed_begin_at(400, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_end_at(1200, 0, A);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	thread = &model->threads[thread_of(model, A, 0)];
	assert_int_equal(thread->spans.start_ns[0], 0);
	assert_int_equal(thread->spans.end_ns[0], 200);
	assert_int_equal(model->nr_reordered, 1);
	model_free(model);
}

/* A span of a program that exec'd ends there, and none begins before that. */
static void test_after_exec(void **state)
{
	const struct thread *thread;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1100, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_exec_at(1300, 0, A, A, 1);
	feed_drained_at(1500);
	feed_begin_at(1200, 0, A, INNER, TRACE_SPAN_WORK);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	thread = &model->threads[thread_of(model, A, 0)];
	assert_int_equal(thread->spans.end_ns[0], 300);
	assert_int_equal(thread->spans.start_ns[1], 300);
	assert_int_equal(thread->spans.depth[1], 0);
	assert_int_equal(model->nr_reordered, 1);
	model_free(model);
}

/* Another thread of the process writes out what a blocked one had left behind. */
static void test_written_by_another_thread(void **state)
{
	const struct thread *thread;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1300, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_drained_at(1500);
	feed_written_by(B);
	feed_begin_at(1100, 1, A, OUTER, TRACE_SPAN_WORK);
	feed_mark_at(1200, 1, A, POINT);
	feed_end_at(1250, 1, A);
	feed_switch_at(1600, 1, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	thread = &model->threads[thread_of(model, A, 0)];
	assert_int_equal(thread->spans.nr, 1);
	assert_int_equal(thread->spans.start_ns[0], 100);
	assert_int_equal(thread->spans.end_ns[0], 250);
	assert_int_equal(thread->spans.drained_ns[0], 500);
	assert_int_equal(thread->marks.time_ns[0], 200);
	/* and that CPU runs the other one */
	assert_int_equal(model->cpus[1].slices.nr, 1);
	assert_int_equal(model->cpus[1].slices.thread[0], thread_of(model, B, 0));
	assert_int_equal(model->threads[thread_of(model, B, 0)].spans.nr, 0);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_as_at_once),
		cmocka_unit_test(test_out_of_order),
		cmocka_unit_test(test_before_the_trace),
		cmocka_unit_test(test_after_exec),
		cmocka_unit_test(test_written_by_another_thread),
	};

	return RUN_IN_WINDOWS(tests);
}
