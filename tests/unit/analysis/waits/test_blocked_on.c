// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * What threads waited for: which stack belongs to which sleep, and the sums by cause, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/waits/blocked_on.h"
#include "events.h"
#include "model/window/clip.h"
#include "trace/event.h"

#define A 101
#define B 102
#define C 103
#define FUTEX 11u
#define PIPE 12u
#define FRAMES 21u
#define OTHER_FRAMES 22u

static const struct blocked_on_sum *sum_of(const struct blocked_on_sum *sums, size_t nr,
					   uint32_t cause, uint32_t thread)
{
	for (size_t i = 0; i < nr; i++) {
		if (sums[i].cause == cause && sums[i].thread == thread)
			return &sums[i];
	}
	fail_msg("no sum of cause %u and thread %u", cause, thread);
	return NULL;
}

/* A sleeps at 1100 for 400 ns, ended by B, and at 1700 for 100 ns, ended by an interrupt. */
static struct model *two_sleeps(uint32_t first_cause, uint32_t second_cause)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	if (first_cause)
		feed_kernel_stack_at(1110, 0, A, first_cause, FRAMES);
	feed_waking_at(1500, 1, B, A);
	feed_wakeup_at(1500, 1, B, A, 0);
	feed_switch_at(1550, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1700, 0, A, 0, TRACE_OUT_UNINTERRUPTIBLE);
	if (second_cause)
		feed_kernel_stack_at(1705, 0, A, second_cause, OTHER_FRAMES);
	feed_wakeup_at(1800, 0, 0, A, 0);
	feed_switch_at(1810, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_RUNNABLE);
	return script_end();
}

static void test_sums(void **state)
{
	struct model *model = two_sleeps(FUTEX, PIPE);
	struct blocked_on blocked = blocked_on_compute(model);
	const struct blocked_on_sum *sum;
	uint32_t a = thread_of(model, A, 0), b = thread_of(model, B, 0);

	(void)state;
	/* A stack names the thread that has left: it does not run on. */
	assert_int_equal(model->cpus[0].gaps.nr, 0);
	assert_true(blocked.has_causes);
	assert_int_equal(blocked.nr_causes, 2);
	assert_int_equal(blocked.nr_threads, 2);
	assert_int_equal(blocked.blocked_ns, 500);
	assert_int_equal(blocked.unknown_ns, 0);
	assert_int_equal(blocked.causes[0].cause, FUTEX);
	sum = sum_of(blocked.threads, blocked.nr_threads, FUTEX, a);
	assert_int_equal(sum->nr, 1);
	assert_int_equal(sum->ns.sum, 400);
	assert_int_equal(sum->waker, b);
	assert_int_equal(sum->waker_ns, 400);
	assert_int_equal(sum->frames, FRAMES);
	assert_int_equal(sum->longest_from_ns, 100);
	assert_int_equal(sum->longest_to_ns, 500);
	sum = sum_of(blocked.threads, blocked.nr_threads, PIPE, a);
	assert_int_equal(sum->ns.sum, 100);
	assert_int_equal(sum->waker, MODEL_NO_THREAD);
	assert_int_equal(sum->frames, OTHER_FRAMES);
	blocked_on_free(&blocked);
	model_free(model);
}

/* The second sleep has no stack, and gets none of another. */
static void test_unknown(void **state)
{
	struct model *model = two_sleeps(FUTEX, 0);
	struct blocked_on blocked = blocked_on_compute(model);

	(void)state;
	assert_int_equal(blocked.blocked_ns, 500);
	assert_int_equal(blocked.unknown_ns, 100);
	assert_int_equal(
		sum_of(blocked.causes, blocked.nr_causes, TRACE_NO_STRING, MODEL_NO_THREAD)->nr, 1);
	blocked_on_free(&blocked);
	model_free(model);
}

/* The first sleep has no stack, and does not get that of the second. */
static void test_unknown_before(void **state)
{
	struct model *model = two_sleeps(0, PIPE);
	struct blocked_on blocked = blocked_on_compute(model);

	(void)state;
	assert_int_equal(blocked.unknown_ns, 400);
	assert_int_equal(sum_of(blocked.causes, blocked.nr_causes, PIPE, MODEL_NO_THREAD)->ns.sum,
			 100);
	blocked_on_free(&blocked);
	model_free(model);
}

/* The trace ends while a thread sleeps, and another one runs again without a wakeup: who ended that is not known. */
static void test_waker_unknown(void **state)
{
	struct blocked_on blocked;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_kernel_stack_at(1110, 0, A, FUTEX, FRAMES);
	feed_switch_at(1200, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_kernel_stack_at(1210, 1, B, PIPE, FRAMES);
	feed_switch_at(1300, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1400, 1, B, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	blocked = blocked_on_compute(model);
	assert_int_equal(blocked.nr_causes, 2);
	for (size_t i = 0; i < blocked.nr_causes; i++)
		assert_int_equal(blocked.causes[i].waker, BLOCKED_WAIT_WAKER_UNKNOWN);
	blocked_on_free(&blocked);
	model_free(model);
}

/* Of what is left of a trace, the sleep that it begins in keeps its cause, as the others do. */
static void test_part_of_a_trace(void **state)
{
	struct model *model = two_sleeps(FUTEX, PIPE), *part;
	uint32_t index[] = { 0, 1 };
	struct state_checkpoint totals[2] = { 0 };
	struct clip clip = { .from_ns = 200,
			     .to_ns = 1000,
			     .nr_index = 2,
			     .index = index,
			     .nr_threads = 2,
			     .totals = totals };
	const struct cause_table *causes;

	(void)state;
	assert_int_equal(model->nr_threads, 2);
	part = clip_model(&clip, model);
	causes = &part->threads[thread_of(model, A, 0)].causes;
	assert_int_equal(causes->nr, 2);
	assert_int_equal(causes->start_ns[0], 0);
	assert_int_equal(causes->cause[0], FUTEX);
	assert_int_equal(causes->start_ns[1], 500);
	assert_int_equal(causes->cause[1], PIPE);
	assert_int_equal(part->threads[thread_of(model, A, 0)].states.start_ns[0], 0);
	model_free(part);
	model_free(model);
}

/* A trace without stacks: nothing is said, not even that it is unknown. */
static void test_no_stacks(void **state)
{
	struct model *model = two_sleeps(0, 0);
	struct blocked_on blocked = blocked_on_compute(model);

	(void)state;
	assert_false(blocked.has_causes);
	assert_int_equal(blocked.nr_causes, 0);
	assert_int_equal(blocked.blocked_ns, 0);
	blocked_on_free(&blocked);
	model_free(model);
}

/* Stacks of other events: of a thread that runs, that was preempted, that woke up already, of another CPU. */
static void test_stacks_of_others(void **state)
{
	const struct cause_table *causes;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_kernel_stack_at(1050, 0, A, FUTEX, FRAMES);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_RUNNABLE);
	feed_kernel_stack_at(1110, 0, A, FUTEX, FRAMES);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1300, 0, A, C, TRACE_OUT_SLEEPING);
	feed_kernel_stack_at(1304, 0, C, FUTEX, FRAMES);
	feed_kernel_stack_at(1305, 1, B, FUTEX, FRAMES);
	/* It may be woken up before its stack is written. */
	feed_wakeup_at(1306, 1, B, A, 0);
	feed_kernel_stack_at(1310, 0, A, PIPE, OTHER_FRAMES);
	feed_kernel_stack_at(1311, 0, A, FUTEX, FRAMES);
	feed_switch_at(1400, 0, C, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	causes = &model->threads[thread_of(model, A, 0)].causes;
	assert_int_equal(causes->nr, 1);
	assert_int_equal(causes->start_ns[0], 300);
	assert_int_equal(causes->cause[0], PIPE);
	assert_int_equal(causes->frames[0], OTHER_FRAMES);
	assert_int_equal(model->threads[thread_of(model, B, 0)].causes.nr, 0);
	model_free(model);
}

#define READ 31u
#define STACK_CAUSE 32u
#define OBJECT 33u

static const struct blocked_words words_of_read = {
	.system_call = READ, .cause = PIPE, .object = OBJECT, .object_id = 1234, .holder_tid = B
};

/* A sleeps, as annot_blocked says; B holds what it waits for. */
static struct model *sleep_as_told(const struct blocked_words *words,
				   enum trace_switch_reason reason, uint32_t stack_cause)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_blocked_at(1099, 0, A, words);
	feed_switch_at(1100, 0, A, 0, reason);
	if (stack_cause)
		feed_kernel_stack_at(1110, 0, A, stack_cause, FRAMES);
	feed_wakeup_at(1500, 1, B, A, 0);
	feed_switch_at(1550, 0, 0, A, TRACE_OUT_RUNNABLE);
	/* This one is not told of. */
	feed_switch_at(1700, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(2000, 1, B, 0, TRACE_OUT_RUNNABLE);
	return script_end();
}

static void expect_row(const struct model *model, size_t row, uint32_t cause, uint32_t frames)
{
	const struct cause_table *causes = &model->threads[thread_of(model, A, 0)].causes;

	assert_true(row < causes->nr);
	assert_int_equal(causes->start_ns[row], 100);
	assert_int_equal(causes->cause[row], cause);
	assert_int_equal(causes->frames[row], frames);
	assert_int_equal(causes->system_call[row], READ);
	assert_int_equal(causes->object[row], OBJECT);
	assert_int_equal(causes->object_id[row], 1234);
	assert_int_equal(causes->holder[row], thread_of(model, B, 0));
}

static size_t nr_rows(const struct model *model)
{
	return model->threads[thread_of(model, A, 0)].causes.nr;
}

static void test_told_by_the_call(void **state)
{
	struct model *model = sleep_as_told(&words_of_read, TRACE_OUT_SLEEPING, 0);

	(void)state;
	assert_int_equal(model->cpus[0].gaps.nr, 0);
	assert_int_equal(nr_rows(model), 1);
	expect_row(model, 0, PIPE, 0);
	model_free(model);
}

/* Both tell of one sleep: the call decides, unless the thread is uninterruptible, or in no call. */
static void test_told_by_both(void **state)
{
	struct blocked_words fault = words_of_read;
	const struct cause_table *causes;
	struct blocked_on blocked;
	struct model *model;

	(void)state;
	model = sleep_as_told(&words_of_read, TRACE_OUT_SLEEPING, STACK_CAUSE);
	assert_int_equal(nr_rows(model), 1);
	expect_row(model, 0, PIPE, FRAMES);
	model_free(model);
	model = sleep_as_told(&words_of_read, TRACE_OUT_UNINTERRUPTIBLE, STACK_CAUSE);
	assert_int_equal(nr_rows(model), 1);
	expect_row(model, 0, STACK_CAUSE, FRAMES);
	blocked = blocked_on_compute(model);
	assert_int_equal(
		sum_of(blocked.causes, blocked.nr_causes, STACK_CAUSE, MODEL_NO_THREAD)->ns.sum,
		400);
	blocked_on_free(&blocked);
	model_free(model);
	fault.system_call = 0;
	model = sleep_as_told(&fault, TRACE_OUT_SLEEPING, STACK_CAUSE);
	causes = &model->threads[thread_of(model, A, 0)].causes;
	assert_int_equal(causes->cause[0], STACK_CAUSE);
	model_free(model);
}

static void test_told_but_awake(void **state)
{
	struct model *model = sleep_as_told(&words_of_read, TRACE_OUT_RUNNABLE, 0);

	(void)state;
	assert_int_equal(nr_rows(model), 0);
	model_free(model);
	model = sleep_as_told(&words_of_read, TRACE_OUT_STOPPED, 0);
	expect_row(model, 0, BLOCKED_STOPPED, 0);
	model_free(model);
}

/* The waiter itself, and a thread of another process if the lock is of one, hold nothing. */
static void test_holders_that_cannot_be(void **state)
{
	struct blocked_words words = words_of_read;
	const struct cause_table *causes;
	struct model *model;

	(void)state;
	words.holder_tid = A;
	model = sleep_as_told(&words, TRACE_OUT_SLEEPING, 0);
	causes = &model->threads[thread_of(model, A, 0)].causes;
	assert_int_equal(causes->holder[0], MODEL_NO_THREAD);
	model_free(model);
	for (int is_of_process = 0; is_of_process < 2; is_of_process++) {
		words.holder_tid = B;
		words.is_of_process = is_of_process;
		script_begin();
		feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
		feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
		feed_mark_of_process_at(1010, 0, A, A);
		feed_mark_of_process_at(1010, 1, B, B);
		feed_blocked_at(1099, 0, A, &words);
		feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
		model = script_end();
		causes = &model->threads[thread_of(model, A, 0)].causes;
		assert_int_equal(causes->holder[0],
				 is_of_process ? MODEL_NO_THREAD : thread_of(model, B, 0));
		model_free(model);
	}
}

/* Its switch is lost: the next sleep of the thread is another one. */
static void test_told_and_lost(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_blocked_at(1099, 0, A, &words_of_read);
	feed_lost_at(1300, 0, 1099, 2);
	feed_switch_at(1400, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	assert_int_equal(nr_rows(model), 0);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_unknown_before),
		cmocka_unit_test(test_part_of_a_trace),
		cmocka_unit_test(test_waker_unknown),
		cmocka_unit_test(test_no_stacks),
		cmocka_unit_test(test_stacks_of_others),
		cmocka_unit_test(test_told_by_the_call),
		cmocka_unit_test(test_told_by_both),
		cmocka_unit_test(test_told_but_awake),
		cmocka_unit_test(test_holders_that_cannot_be),
		cmocka_unit_test(test_told_and_lost),
	};

	return cmocka_run_group_tests_name("blocked_on", tests, NULL, NULL);
}
