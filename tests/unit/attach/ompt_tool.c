// SPDX-License-Identifier: GPL-2.0
/*
 * A tool that another one loads. It keeps words of its own with regions and tasks, finds them again, and prints
 * what it was told.
 */
#include <stdio.h>

#include "../../../libannot/attach/ompt/ompt_api.h"

#define WORD 0xfedcba9876543210

/* Threads of a team come at once. */
static _Atomic int nr_regions, nr_parts, nr_chunks, nr_waits, nr_wrong;
static ompt_function_lookup_t look_up;

static void on_parallel_begin(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
			      unsigned int requested, int flags, const void *address)
{
	(void)task, (void)frame, (void)requested, (void)flags, (void)address;
	parallel->value = WORD;
	nr_regions++;
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
			    const void *address)
{
	(void)task, (void)flags, (void)address;
	nr_wrong += parallel->value != WORD;
}

static void on_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			     unsigned int nr_threads, unsigned int index, int flags)
{
	(void)nr_threads, (void)index, (void)flags;
	if (endpoint == ompt_scope_end) {
		nr_wrong += task->value != WORD;
	} else {
		nr_wrong += parallel->value != WORD;
		/* Whether a last end is before or after the program's exit differs from run to run. */
		nr_parts++;
	}
	task->value = WORD;
}

static void on_sync_region(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			   const void *address)
{
	(void)kind, (void)address;
	nr_wrong += endpoint == ompt_scope_begin && parallel->value != WORD;
	nr_wrong += task->value != WORD;
	nr_waits++;
}

/* What is not to be had stays as it is. */
static void ask(void)
{
	int (*task_info)(int, int *, ompt_data_t **, void **, ompt_data_t **,
			 int *) = (int (*)(int, int *, ompt_data_t **, void **, ompt_data_t **,
					   int *))look_up("ompt_get_task_info");
	int (*parallel_info)(int, ompt_data_t **, int *) =
		(int (*)(int, ompt_data_t **, int *))look_up("ompt_get_parallel_info");
	ompt_data_t *nowhere = (ompt_data_t *)8, *task = nowhere, *parallel = nowhere;

	nr_wrong += task_info(1, NULL, &task, NULL, &parallel, NULL) != 1 || parallel != nowhere;
	nr_wrong += parallel_info(1, &parallel, NULL) != 1 || parallel != nowhere;
	nr_wrong += task_info(0, NULL, &task, NULL, &parallel, NULL) != 2;
	nr_wrong += task->value != WORD || parallel->value != WORD;
	nr_wrong += parallel_info(0, &parallel, NULL) != 2 || parallel->value != WORD;
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, int kind, ompt_data_t instance)
{
	(void)kind, (void)instance;
	nr_wrong += task->value != WORD || parallel->value != WORD;
	ask();
	nr_chunks++;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	data->value = WORD;
	look_up = lookup;
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
	set(ompt_callback_reduction, (ompt_callback_t)on_sync_region);
	set(ompt_callback_dispatch, (ompt_callback_t)on_dispatch);
	nr_wrong += set(ompt_callback_nest_lock, NULL) != 1;
	return 1;
}

static void finalize(ompt_data_t *data)
{
	nr_wrong += data->value != WORD;
	printf("%d regions, %d parts, %d chunks, %d waits, %d wrong\n", nr_regions, nr_parts,
	       nr_chunks, nr_waits, nr_wrong);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t tool = { initialize, finalize, { 0 } };

	(void)omp_version, (void)runtime_version;
	return &tool;
}
