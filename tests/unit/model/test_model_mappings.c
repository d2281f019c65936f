// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * What is mapped where, of which process, at which time: across fork, exec and tids given anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "events.h"
#include "model/memory/mappings.h"

#define PARENT 100
#define CHILD 200
#define THREAD 201

/* String ids, of paths and comms. */
#define PROGRAM 1
#define LIBRARY 2
#define OTHER 3
#define MEMORY 4
#define FUNCTION 5

/* The path at @address of the @nth thread of number @tid; 0: nothing. */
static uint32_t path_at(const struct model *model, int32_t tid, int nth, uint64_t time_ns,
			uint64_t address)
{
	size_t row = model_find_mapping(model, thread_of(model, tid, nth), time_ns, address);

	return row == SIZE_MAX ? 0 : model->mappings.path[row];
}

static void test_ranges(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, PARENT, TRACE_OUT_RUNNABLE);
	feed_mapping_at(1100, 1100, PARENT, 0x1000, 0x1000, PROGRAM);
	feed_mapping_at(1100, 1100, PARENT, 0xfffffffffffff000, 0x1000, LIBRARY);
	model = script_end();

	assert_int_equal(path_at(model, PARENT, 0, 100, 0xfff), 0);
	assert_int_equal(path_at(model, PARENT, 0, 100, 0x1000), PROGRAM);
	assert_int_equal(path_at(model, PARENT, 0, 100, 0x1fff), PROGRAM);
	assert_int_equal(path_at(model, PARENT, 0, 100, 0x2000), 0);
	assert_int_equal(path_at(model, PARENT, 0, 100, UINT64_MAX), LIBRARY);
	assert_int_equal(model_find_mapping(model, MODEL_NO_THREAD, 100, 0x1000), SIZE_MAX);
	model_free(model);
}

/* Functions that a program made are told at the end, and only of memory that is no file. */
static void test_functions(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, PARENT, TRACE_OUT_RUNNABLE);
	feed_mapping_at(1100, 1100, PARENT, 0x1000, 0x1000, PROGRAM);
	feed_kind_of_mapping_at(1100, PARENT, 0x2000, 0x1000, MEMORY, TRACE_MAPPING_OF_MEMORY);
	feed_kind_of_mapping_at(1900, PARENT, 0x2000, 0x40, FUNCTION, TRACE_MAPPING_OF_FUNCTION);
	feed_kind_of_mapping_at(1900, PARENT, 0x2010, 0x10, OTHER, TRACE_MAPPING_OF_FUNCTION);
	feed_kind_of_mapping_at(1900, PARENT, 0x1000, 0x40, FUNCTION, TRACE_MAPPING_OF_FUNCTION);
	model = script_end();

	assert_int_equal(path_at(model, PARENT, 0, 200, 0x2000), FUNCTION);
	assert_int_equal(path_at(model, PARENT, 0, 200, 0x203f), FUNCTION);
	assert_int_equal(path_at(model, PARENT, 0, 200, 0x2010), OTHER);
	assert_int_equal(path_at(model, PARENT, 0, 200, 0x2040), MEMORY);
	assert_int_equal(path_at(model, PARENT, 0, 200, 0x1000), PROGRAM);
	model_free(model);
}

/* Told in another order than it happened; the rows are in the order of that. */
static void test_replaced(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, PARENT, TRACE_OUT_RUNNABLE);
	feed_mapping_at(1500, 1400, PARENT, 0x1800, 0x1000, LIBRARY);
	feed_mapping_at(1500, 500, PARENT, 0x1000, 0x1000, PROGRAM);
	model = script_end();

	assert_int_equal(model->mappings.path[0], PROGRAM);
	assert_int_equal(model->mappings.time_ns[0], 0);
	assert_int_equal(model->mappings.time_ns[1], 400);
	assert_int_equal(path_at(model, PARENT, 0, 399, 0x1900), PROGRAM);
	assert_int_equal(path_at(model, PARENT, 0, 400, 0x1900), LIBRARY);
	assert_int_equal(path_at(model, PARENT, 0, 400, 0x1700), PROGRAM);
	/* Told too late, but nothing else is known. */
	assert_int_equal(path_at(model, PARENT, 0, 100, 0x2100), LIBRARY);
	model_free(model);
}

/* A child has what its parent had then, and nothing of what either maps later. */
static void test_fork(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, PARENT, TRACE_OUT_RUNNABLE);
	feed_fork_at(1200, 0, PARENT, CHILD, false);
	feed_fork_at(1300, 0, CHILD, THREAD, true);
	/* All of it is told only now. */
	feed_mapping_at(2000, 1100, PARENT, 0x1000, 0x1000, PROGRAM);
	feed_mapping_at(2000, 1400, PARENT, 0x1000, 0x1000, OTHER);
	feed_mapping_at(2000, 1400, CHILD, 0x5000, 0x1000, LIBRARY);
	model = script_end();

	assert_int_equal(path_at(model, CHILD, 0, 900, 0x1000), PROGRAM);
	assert_int_equal(path_at(model, THREAD, 0, 900, 0x1000), PROGRAM);
	assert_int_equal(path_at(model, THREAD, 0, 900, 0x5000), LIBRARY);
	assert_int_equal(path_at(model, PARENT, 0, 900, 0x1000), OTHER);
	assert_int_equal(path_at(model, PARENT, 0, 900, 0x5000), 0);
	model_free(model);
}

static void test_fork_of_a_fork(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, PARENT, TRACE_OUT_RUNNABLE);
	feed_mapping_at(1100, 1100, PARENT, 0x1000, 0x1000, PROGRAM);
	feed_fork_at(1200, 0, PARENT, CHILD, false);
	feed_fork_at(1300, 0, CHILD, 300, false);
	feed_mapping_at(1400, 1250, PARENT, 0x1000, 0x1000, OTHER);
	feed_mapping_at(1500, 1350, CHILD, 0x1000, 0x1000, OTHER);
	model = script_end();

	assert_int_equal(path_at(model, 300, 0, 900, 0x1000), PROGRAM);
	model_free(model);
}

/* What an exec maps, it maps before its event comes, but after the thread got its new name. */
static void test_exec(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, PARENT, TRACE_OUT_RUNNABLE);
	feed_mapping_at(1100, 1100, PARENT, 0x1000, 0x2000, PROGRAM);
	feed_rename_at(1200, 0, PARENT, PARENT, OTHER);
	feed_mapping_at(1250, 1250, PARENT, 0x1000, 0x1000, OTHER);
	feed_exec_at(1300, 0, PARENT, PARENT, OTHER);
	feed_mapping_at(1400, 1400, PARENT, 0x5000, 0x1000, LIBRARY);
	model = script_end();

	assert_int_equal(path_at(model, PARENT, 0, 199, 0x1000), PROGRAM);
	assert_int_equal(path_at(model, PARENT, 0, 199, 0x2000), PROGRAM);
	assert_int_equal(path_at(model, PARENT, 0, 350, 0x1000), OTHER);
	assert_int_equal(path_at(model, PARENT, 0, 350, 0x2000), 0);
	assert_int_equal(path_at(model, PARENT, 0, 500, 0x5000), LIBRARY);
	/* That is of another program: not even as a mapping told too late. */
	assert_int_equal(path_at(model, PARENT, 0, 150, 0x5000), 0);
	model_free(model);
}

/* A name of its own choice, some time before, is no part of the exec. */
static void test_exec_under_another_name(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, PARENT, TRACE_OUT_RUNNABLE);
	feed_rename_at(1050, 0, PARENT, PARENT, PROGRAM);
	feed_mapping_at(1100, 1100, PARENT, 0x1000, 0x1000, PROGRAM);
	feed_exec_at(1300, 0, PARENT, PARENT, OTHER);
	model = script_end();

	assert_int_equal(path_at(model, PARENT, 0, 200, 0x1000), PROGRAM);
	assert_int_equal(path_at(model, PARENT, 0, 300, 0x1000), 0);
	model_free(model);
}

/* A child that execs leaves its parent alone. */
static void test_fork_and_exec(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, PARENT, TRACE_OUT_RUNNABLE);
	feed_mapping_at(1100, 1100, PARENT, 0x1000, 0x1000, PROGRAM);
	feed_fork_at(1200, 0, PARENT, CHILD, false);
	feed_exec_at(1300, 0, CHILD, CHILD, OTHER);
	feed_mapping_at(1400, 1400, CHILD, 0x1000, 0x800, OTHER);
	model = script_end();

	assert_int_equal(path_at(model, CHILD, 0, 250, 0x1000), PROGRAM);
	assert_int_equal(path_at(model, CHILD, 0, 450, 0x1000), OTHER);
	assert_int_equal(path_at(model, CHILD, 0, 450, 0x1800), 0);
	assert_int_equal(path_at(model, PARENT, 0, 450, 0x1800), PROGRAM);
	model_free(model);
}

/* The pid is given to another process: what its owner before had mapped is nothing to it. */
static void test_reused_pid(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, CHILD, TRACE_OUT_RUNNABLE);
	feed_mapping_at(1100, 1100, CHILD, 0x1000, 0x1000, PROGRAM);
	feed_switch_at(1200, 0, CHILD, PARENT, TRACE_OUT_DEAD);
	feed_fork_at(1300, 0, PARENT, CHILD, false);
	feed_mapping_at(1400, 1400, CHILD, 0x2000, 0x1000, OTHER);
	model = script_end();

	assert_int_equal(path_at(model, CHILD, 0, 150, 0x1000), PROGRAM);
	assert_int_equal(path_at(model, CHILD, 1, 400, 0x1000), 0);
	assert_int_equal(path_at(model, CHILD, 1, 400, 0x2000), OTHER);
	assert_int_equal(path_at(model, CHILD, 0, 150, 0x2000), 0);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_replaced),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_fork_of_a_fork),
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_exec_under_another_name),
		cmocka_unit_test(test_fork_and_exec),
		cmocka_unit_test(test_reused_pid),
	};

	return RUN_IN_WINDOWS(tests);
}
