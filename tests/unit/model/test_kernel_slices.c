// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * What threads do in the kernel, from hand-made events; and against a program that keeps its own list.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events.h"

#define A 101
#define B 102
#define READ 3u
#define WRITE 4u
#define OPEN_ENDS (KERNEL_OPEN_BEGIN | KERNEL_OPEN_END)

static void enter(uint64_t time_ns, int32_t tid, uint64_t number)
{
	feed_kernel_at(time_ns, 0, tid, TRACE_KERNEL_BEGIN, TRACE_KERNEL_SYSCALL, number, 0);
}

static void begin(uint64_t time_ns, uint64_t function, int32_t level)
{
	feed_kernel_at(time_ns, 0, A, TRACE_KERNEL_BEGIN, TRACE_KERNEL_FUNCTION, function, level);
}

static void end(uint64_t time_ns, uint64_t function, int32_t level)
{
	feed_kernel_at(time_ns, 0, A, TRACE_KERNEL_END, TRACE_KERNEL_FUNCTION, function, level);
}

static const struct kernel_slice_table *slices_of(const struct model *model, int32_t tid)
{
	return &model->threads[thread_of(model, tid, 0)].kernel_slices;
}

static void assert_slice(const struct kernel_slice_table *slices, size_t row, uint64_t start_ns,
			 uint64_t end_ns, uint32_t name, unsigned int depth, unsigned int open_ends)
{
	assert_in_range(row, 0, slices->nr - 1);
	assert_int_equal(slices->start_ns[row], start_ns);
	assert_int_equal(slices->end_ns[row], end_ns);
	assert_int_equal(slices->name[row], name);
	assert_int_equal(slices->depth[row], depth);
	assert_int_equal(slices->flags[row] & OPEN_ENDS, open_ends);
}

static uint64_t nr_unmatched(const struct model *model, int32_t tid)
{
	return model->threads[thread_of(model, tid, 0)].nr_unmatched_kernel_ends;
}

/* One slice, though the thread is away in the middle; B's own do not mix with it. */
static void test_blocks(void **state)
{
	const struct kernel_slice_table *slices;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	enter(1010, A, READ);
	feed_switch_at(1020, 0, A, B, TRACE_OUT_SLEEPING);
	enter(1030, B, WRITE);
	feed_result_at(1040, 0, B, WRITE, 1);
	feed_wakeup_at(1050, 0, B, A, 0);
	feed_switch_at(1060, 0, B, A, TRACE_OUT_SLEEPING);
	feed_result_at(1070, 0, A, READ, -11);
	model = script_end();

	slices = slices_of(model, A);
	assert_int_equal(slices->nr, 1);
	assert_slice(slices, 0, 10, 70, READ, 0, 0);
	assert_int_equal(slices->value[0], -11);
	assert_true(slices->flags[0] & KERNEL_HAS_VALUE);
	assert_slice(slices_of(model, B), 0, 30, 40, WRITE, 0, 0);
	assert_int_equal(nr_unmatched(model, A) + nr_unmatched(model, B), 0);
	model_free(model);
}

/* The call's own event comes within a function that ends before the call does. */
static void test_kinds_cross(void **state)
{
	const struct kernel_slice_table *slices;
	struct model *model;

	(void)state;
	script_begin();
	begin(1000, 20, 0);
	enter(1010, A, READ);
	end(1020, 20, 0);
	begin(1030, 21, 0);
	begin(1040, 22, 1);
	feed_kernel_at(1045, 0, A, TRACE_KERNEL_MARK, TRACE_KERNEL_FAULT, 9, 0);
	end(1050, 22, 1);
	end(1060, 21, 0);
	feed_result_at(1070, 0, A, READ, 5);
	begin(1080, 23, 0);
	end(1090, 23, 0);
	model = script_end();

	slices = slices_of(model, A);
	assert_int_equal(slices->nr, 6);
	assert_slice(slices, 0, 0, 20, 20, 0, 0);
	assert_slice(slices, 1, 10, 70, READ, 1, 0);
	assert_slice(slices, 2, 30, 60, 21, 2, 0);
	assert_slice(slices, 3, 40, 50, 22, 3, 0);
	assert_slice(slices, 4, 45, 45, 9, 4, 0);
	assert_true(slices->flags[4] & KERNEL_MARK);
	assert_slice(slices, 5, 80, 90, 23, 0, 0);
	model_free(model);
}

/* An end is missing: it ended no later than the next begin, and was open at the last event. */
static void test_end_is_missing(void **state)
{
	const struct kernel_slice_table *slices;
	struct model *model;

	(void)state;
	script_begin();
	enter(1000, A, READ);
	feed_kernel_at(1010, 0, A, TRACE_KERNEL_MARK, TRACE_KERNEL_FAULT, 9, 0);
	enter(1030, A, READ);
	feed_result_at(1040, 0, A, READ, 0);
	begin(1050, 20, 0);
	begin(1060, 21, 1);
	begin(1070, 22, 1);
	end(1080, 20, 0);
	enter(1090, A, WRITE);
	feed_result_at(1100, 0, A, READ, 0);
	model = script_end();

	slices = slices_of(model, A);
	assert_slice(slices, 0, 0, 10, READ, 0, KERNEL_OPEN_END);
	assert_slice(slices, 2, 30, 40, READ, 0, 0);
	assert_slice(slices, 3, 50, 80, 20, 0, 0);
	assert_slice(slices, 4, 60, 60, 21, 1, KERNEL_OPEN_END);
	assert_slice(slices, 5, 70, 70, 22, 1, KERNEL_OPEN_END);
	/* Open where the trace ends. */
	assert_slice(slices, 6, 90, 100, WRITE, 0, KERNEL_OPEN_END);
	assert_int_equal(nr_unmatched(model, A), 1);
	model_free(model);
}

static void test_a_fault_outside_ends_a_call(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	enter(1000, A, READ);
	feed_kernel_at(1050, 0, A, TRACE_KERNEL_MARK, TRACE_KERNEL_FAULT, 9, TRACE_FAULT_USER);
	enter(1100, A, WRITE);
	model = script_end();

	assert_slice(slices_of(model, A), 0, 0, 0, READ, 0, KERNEL_OPEN_END);
	assert_slice(slices_of(model, A), 1, 50, 50, 9, 0, 0);
	model_free(model);
}

/* As the kernel tells the exit from sigreturn(). */
static void test_sigreturn(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	enter(1000, A, 15);
	feed_result_at(1010, 0, A, UINT64_MAX, 0);
	model = script_end();

	assert_slice(slices_of(model, A), 0, 0, 10, 15, 0, 0);
	model_free(model);
}

/* The end alone: of who was there before the trace, from when he was first seen; of a new one, nothing. */
static void test_begin_is_missing(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_result_at(1020, 0, A, READ, 7);
	feed_result_at(1030, 0, A, READ, 7);
	feed_fork_at(1040, 0, A, B, false);
	feed_wakeup_new_at(1045, 0, A, B, 0);
	feed_switch_at(1050, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_result_at(1060, 0, B, 56, 0);
	model = script_end();

	assert_int_equal(slices_of(model, A)->nr, 1);
	assert_slice(slices_of(model, A), 0, 0, 20, READ, 0, KERNEL_OPEN_BEGIN);
	assert_int_equal(slices_of(model, A)->value[0], 7);
	assert_int_equal(slices_of(model, B)->nr, 0);
	assert_int_equal(nr_unmatched(model, B), 0);
	model_free(model);
}

/* What is open when events of its CPU are lost, was open until then; what comes after is another. */
static void test_loss(void **state)
{
	const struct kernel_slice_table *slices;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	enter(1010, A, READ);
	feed_lost_at(1200, 0, 1100, 5);
	feed_result_at(1210, 0, A, READ, 1);
	feed_kernel_at(1220, 1, B, TRACE_KERNEL_END, TRACE_KERNEL_SYSCALL, READ, 0);
	enter(1230, A, WRITE);
	feed_result_at(1240, 0, A, WRITE, 1);
	model = script_end();

	slices = slices_of(model, A);
	assert_int_equal(slices->nr, 2);
	assert_slice(slices, 0, 10, 100, READ, 0, KERNEL_OPEN_END);
	assert_slice(slices, 1, 230, 240, WRITE, 0, 0);
	assert_int_equal(nr_unmatched(model, A), 1);
	assert_int_equal(slices_of(model, B)->nr, 0);
	model_free(model);
}

/* A switch is missing, but no event was lost: the call is one, as its end says. */
static void test_switch_is_missing(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	enter(1010, A, READ);
	feed_switch_at(1100, 0, B, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_result_at(1210, 0, A, READ, 1);
	model = script_end();

	assert_int_equal(model->cpus[0].gaps.nr, 1);
	assert_int_equal(slices_of(model, A)->nr, 1);
	assert_slice(slices_of(model, A), 0, 10, 210, READ, 0, 0);
	model_free(model);
}

/* Another CPU lost events while the thread was asleep, and it woke on that: its call may be another one. */
static void test_loss_elsewhere(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1005, 0, A, B, 1);
	feed_switch_at(1006, 1, 0, B, TRACE_OUT_SLEEPING);
	enter(1010, A, READ);
	feed_switch_at(1020, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_lost_at(1200, 1, 1100, 5);
	feed_switch_at(1300, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_result_at(1310, 0, A, READ, 1);
	model = script_end();

	assert_slice(slices_of(model, A), 0, 10, 100, READ, 0, KERNEL_OPEN_END);
	assert_int_equal(nr_unmatched(model, A), 1);
	model_free(model);
}

static void test_death(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	enter(1010, A, 231);
	feed_switch_at(1050, 0, A, B, TRACE_OUT_DEAD);
	feed_switch_at(1090, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_slice(slices_of(model, A), 0, 10, 50, 231, 0, KERNEL_OPEN_END);
	model_free(model);
}

/* Both systems of events tell of each call; a lock is spun for, then slept for. */
static void test_told_twice(void **state)
{
	const struct kernel_slice_table *slices;
	struct model *model;

	(void)state;
	script_begin();
	enter(1000, A, READ);
	feed_kernel_at(1001, 0, A, TRACE_KERNEL_BEGIN, TRACE_KERNEL_SYSCALL, READ,
		       TRACE_SYSCALL_NAMED);
	feed_result_at(1010, 0, A, READ, 4);
	feed_result_at(1011, 0, A, READ, 4);
	model = script_end();

	slices = slices_of(model, A);
	assert_int_equal(slices->nr, 1);
	assert_slice(slices, 0, 0, 10, READ, 0, 0);
	assert_int_equal(nr_unmatched(model, A), 0);
	model_free(model);
}

/* A program of nested functions and calls, which writes down what it did. */
#define MOST_SLICES 4096
#define MOST_OPEN 40

struct truth {
	uint64_t start_ns, end_ns;
	uint64_t key;
	size_t depth;
};

struct program {
	uint64_t now_ns;
	size_t nr, nr_open;
	struct truth slices[MOST_SLICES];
	size_t open[MOST_OPEN];
};

static bool is_call(const struct program *program, size_t slice)
{
	return program->slices[slice].depth == 0;
}

static void go_in(struct program *program)
{
	struct truth *slice = &program->slices[program->nr];

	*slice = (struct truth){ .start_ns = program->now_ns,
				 .depth = program->nr_open,
				 .key = 1 + (uint64_t)(random() % 5) };
	if (program->nr_open)
		begin(program->now_ns, slice->key, (int32_t)program->nr_open);
	else
		enter(program->now_ns, A, slice->key);
	program->open[program->nr_open++] = program->nr++;
}

static void go_out(struct program *program)
{
	size_t at = program->open[--program->nr_open];

	program->slices[at].end_ns = program->now_ns;
	if (is_call(program, at))
		feed_result_at(program->now_ns, 0, A, program->slices[at].key, 1);
	else
		end(program->now_ns, program->slices[at].key, (int32_t)program->slices[at].depth);
}

static void go_away(struct program *program)
{
	feed_switch_at(program->now_ns, 0, A, B, TRACE_OUT_SLEEPING);
	program->now_ns += (uint64_t)(random() % 50);
	feed_wakeup_at(program->now_ns, 0, B, A, 0);
	feed_switch_at(program->now_ns, 0, B, A, TRACE_OUT_SLEEPING);
}

static void test_against_a_program(void **state)
{
	static struct program program;
	const struct kernel_slice_table *slices;
	struct model *model;

	(void)state;
	srandom(5);
	memset(&program, 0, sizeof(program));
	program.now_ns = 1000;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	while (program.nr < MOST_SLICES || program.nr_open) {
		program.now_ns += 1 + (uint64_t)(random() % 20);
		if (random() % 6 == 0)
			go_away(&program);
		else if (program.nr < MOST_SLICES && program.nr_open < MOST_OPEN &&
			 (!program.nr_open || random() % 2))
			go_in(&program);
		else
			go_out(&program);
	}
	model = script_end();

	slices = slices_of(model, A);
	assert_int_equal(slices->nr, MOST_SLICES);
	for (size_t i = 0; i < MOST_SLICES; i++)
		assert_slice(slices, i, program.slices[i].start_ns - 1000,
			     program.slices[i].end_ns - 1000, (uint32_t)program.slices[i].key,
			     (unsigned int)program.slices[i].depth, 0);
	model_free(model);
}

/*
 * A mark that B makes on A, in whose call it falls: A's call goes on, the priority with which A was switched in stays, and
 * it is no sign of what A did until then.
 */
static void test_others_mark(void **state)
{
	const struct kernel_slice_table *slices;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_SLEEPING);
	feed_switch_with(1005, 0, 0, A, TRACE_OUT_SLEEPING, 122);
	enter(1010, A, READ);
	feed_others_mark_at(1020, 1, B, TRACE_KERNEL_PRIORITY, 9, A);
	feed_others_mark_at(1030, 1, B, TRACE_KERNEL_CGROUP, 8, B);
	enter(1040, A, WRITE);
	feed_switch_at(1050, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1060, 1, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	slices = slices_of(model, A);
	assert_int_equal(slices->nr, 3);
	/* Its last own event was its begin. */
	assert_slice(slices, 0, 10, 10, READ, 0, KERNEL_OPEN_END);
	assert_slice(slices, 1, 20, 20, 9, 1, 0);
	assert_int_equal(slices->kind[1], TRACE_KERNEL_PRIORITY);
	assert_int_equal(slices->flags[1], KERNEL_MARK);
	assert_slice(slices, 2, 40, 60, WRITE, 0, KERNEL_OPEN_END);
	assert_int_equal(model->cpus[0].slices.nr, 1);
	assert_int_equal(model->cpus[0].slices.priority[0], 122);
	slices = slices_of(model, B);
	assert_int_equal(slices->nr, 1);
	assert_slice(slices, 0, 30, 30, 8, 0, 0);
	model_free(model);
}

/* A call of which only the end is seen begins with the thread, so in front of the mark: it is left out. */
static void test_others_mark_before_an_end(void **state)
{
	const struct kernel_slice_table *slices;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_others_mark_at(1020, 1, B, TRACE_KERNEL_CGROUP, 9, A);
	feed_result_at(1030, 0, A, READ, 1);
	model = script_end();

	slices = slices_of(model, A);
	assert_int_equal(slices->nr, 1);
	assert_slice(slices, 0, 20, 20, 9, 0, 0);
	assert_int_equal(nr_unmatched(model, A), 1);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_others_mark),
		cmocka_unit_test(test_others_mark_before_an_end),
		cmocka_unit_test(test_kinds_cross),
		cmocka_unit_test(test_end_is_missing),
		cmocka_unit_test(test_a_fault_outside_ends_a_call),
		cmocka_unit_test(test_sigreturn),
		cmocka_unit_test(test_begin_is_missing),
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_switch_is_missing),
		cmocka_unit_test(test_loss_elsewhere),
		cmocka_unit_test(test_death),
		cmocka_unit_test(test_told_twice),
		cmocka_unit_test(test_against_a_program),
	};

	return RUN_IN_WINDOWS(tests);
}
