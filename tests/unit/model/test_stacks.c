// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * At which points of its time a thread had which call stack, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "events.h"
#include "model/window/clip.h"

#define A 101
#define B 102

static const struct stack_point_table *points_of(const struct model *model, int32_t tid)
{
	return &model->threads[thread_of(model, tid, 0)].stack_points;
}

static void expect_point(const struct stack_point_table *points, size_t at, uint64_t time_ns,
			 uint32_t user, uint32_t kernel)
{
	assert_true(at < points->nr);
	assert_int_equal(points->time_ns[at], time_ns);
	assert_int_equal(points->user[at], user);
	assert_int_equal(points->kernel[at], kernel);
}

/*
 * A stack belongs to the event before it on its CPU, whatever comes from others in between. Two of one event are one
 * point, in either order. What follows a switch is of the thread that left, and proves nothing of who runs.
 */
static void test_points(void **state)
{
	const struct stack_point_table *points;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_mark_at(1050, 0, A, 1);
	feed_user_stack_at(1055, 0, A, 7);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_mark_at(1105, 1, B, 1);
	feed_user_stack_at(1110, 0, A, 8);
	feed_kernel_stack_at(1120, 0, A, 1, 3);
	feed_switch_at(1500, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1600, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_kernel_stack_at(1610, 0, A, 1, 4);
	feed_user_stack_at(1620, 0, A, 9);
	feed_switch_at(1700, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1800, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	points = points_of(model, A);
	assert_int_equal(points->nr, 3);
	expect_point(points, 0, 50, 7, 0);
	expect_point(points, 1, 100, 8, 3);
	expect_point(points, 2, 600, 9, 4);
	assert_int_equal(points_of(model, B)->nr, 0);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		assert_int_equal(model->cpus[cpu].gaps.nr, 0);
	model_free(model);
}

/*
 * annot_blocked names the stack of the thread that is about to leave: it is of the state that begins then, beside the
 * kernel's stack of it. A thread that does not fall asleep after all has none.
 */
static void test_of_sleep(void **state)
{
	const struct blocked_words words = { .cause = 1, .stack = 7 };
	const struct stack_point_table *points;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_blocked_at(1090, 0, A, &words);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_UNINTERRUPTIBLE);
	feed_kernel_stack_at(1110, 0, A, 1, 3);
	feed_switch_at(1500, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_blocked_at(1590, 0, A, &words);
	feed_switch_at(1600, 0, A, 0, TRACE_OUT_RUNNABLE);
	feed_switch_at(1700, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1800, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	points = points_of(model, A);
	assert_int_equal(points->nr, 1);
	expect_point(points, 0, 100, 7, 3);
	model_free(model);
}

/* What is no stack, and a thread that nobody knows, make no point. */
static void test_none(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_user_stack_at(900, 0, A, 7);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_user_stack_at(1010, 0, B, 7);
	feed_user_stack_at(1020, 0, A, 0);
	feed_user_stack_at(1030, 0, 0, 5);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	for (size_t i = 0; i < model->nr_threads; i++)
		assert_int_equal(model->threads[i].stack_points.nr, 0);
	model_free(model);
}

static void test_part(void **state)
{
	uint32_t index[] = { 0 };
	struct state_checkpoint totals[1] = { 0 };
	struct clip clip = { .from_ns = 100,
			     .to_ns = 500,
			     .nr_index = 1,
			     .index = index,
			     .nr_threads = 1,
			     .totals = totals };
	struct model *model, *part;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	for (uint64_t ns = 1050; ns < 1700; ns += 200) {
		feed_mark_at(ns, 0, A, 1);
		feed_user_stack_at(ns + 1, 0, A, (uint32_t)ns);
	}
	feed_switch_at(1800, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	part = clip_model(&clip, model);
	assert_int_equal(part->threads[0].stack_points.nr, 2);
	expect_point(&part->threads[0].stack_points, 0, 150, 1250, 0);
	expect_point(&part->threads[0].stack_points, 1, 350, 1450, 0);
	model_free(part);
	model_free(model);
}

static const struct waker_stack_table *wakers_of(const struct model *model, int32_t tid)
{
	return &model->threads[thread_of(model, tid, 0)].waker_stacks;
}

/* They belong to the one that is woken up, who may be anywhere. */
static void test_wakers(void **state)
{
	uint32_t index[] = { 0, 1 };
	struct state_checkpoint totals[2] = { 0 };
	struct clip clip = { .from_ns = 200,
			     .to_ns = 400,
			     .nr_index = 2,
			     .index = index,
			     .nr_threads = 2,
			     .totals = totals };
	struct model *model, *part;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_waker_stack_at(1150, 0, A, B, 7);
	feed_waker_stack_at(1160, 0, A, B, 0);
	feed_waker_stack_at(1300, 0, A, B, 8);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	assert_int_equal(wakers_of(model, A)->nr, 0);
	assert_int_equal(wakers_of(model, B)->nr, 2);
	assert_int_equal(wakers_of(model, B)->time_ns[0], 150);
	assert_int_equal(wakers_of(model, B)->stack[0], 7);
	assert_int_equal(wakers_of(model, B)->stack[1], 8);
	part = clip_model(&clip, model);
	assert_int_equal(part->threads[1].waker_stacks.nr, 1);
	assert_int_equal(part->threads[1].waker_stacks.time_ns[0], 100);
	assert_int_equal(part->threads[1].waker_stacks.stack[0], 8);
	model_free(part);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_points),	 cmocka_unit_test(test_wakers),
		cmocka_unit_test(test_of_sleep), cmocka_unit_test(test_none),
		cmocka_unit_test(test_part),
	};

	return RUN_IN_WINDOWS(tests);
}
