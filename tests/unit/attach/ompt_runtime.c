// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: ompt_runtime TOOL
 *
 * Loads the tool as an OpenMP runtime would, and tells it what a runtime of OpenMP 5.2 tells: chunks of loops, which
 * the runtimes that are installed may not tell yet; loops that are cancelled; and one task within a barrier.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../libannot/attach/ompt/ompt_api.h"

#define NR_EVENTS 40
#define CHUNKS 5

static ompt_callback_t callbacks[NR_EVENTS];

static int set_callback(int event, ompt_callback_t callback)
{
	callbacks[event] = callback;
	return 5; /* always */
}

static ompt_interface_fn_t lookup(const char *name)
{
	return strcmp(name, "ompt_set_callback") ? NULL : (ompt_interface_fn_t)set_callback;
}

#define CALL(event, type, ...) ((void(*) type)callbacks[ompt_callback_##event])(__VA_ARGS__)

static void work(enum ompt_work kind, enum ompt_scope_endpoint endpoint, ompt_data_t *parallel,
		 ompt_data_t *task)
{
	CALL(work, (int, int, ompt_data_t *, ompt_data_t *, uint64_t, const void *), kind, endpoint,
	     parallel, task, CHUNKS, NULL);
}

static void dispatch(int times, ompt_data_t *parallel, ompt_data_t *task)
{
	ompt_data_t instance = { 0 };

	for (int i = 0; i < times; i++)
		CALL(dispatch, (ompt_data_t *, ompt_data_t *, int, ompt_data_t), parallel, task,
		     ompt_dispatch_ws_loop_chunk, instance);
}

static void wait_for(enum ompt_sync_region kind, enum ompt_scope_endpoint endpoint,
		     ompt_data_t *parallel, ompt_data_t *task)
{
	CALL(sync_region_wait, (int, int, ompt_data_t *, ompt_data_t *, const void *), kind,
	     endpoint, parallel, task, NULL);
}

static void loop(enum ompt_work kind, int nr_chunks, ompt_data_t *parallel, ompt_data_t *task)
{
	work(kind, ompt_scope_begin, parallel, task);
	dispatch(nr_chunks, parallel, task);
	work(kind, ompt_scope_end, parallel, task);
}

static void task_in_barrier(ompt_data_t *parallel, ompt_data_t *implicit)
{
	ompt_data_t task = { 0 };

	CALL(task_create, (ompt_data_t *, const void *, ompt_data_t *, int, int, const void *),
	     implicit, NULL, &task, ompt_task_explicit, 0, NULL);
	wait_for(ompt_sync_region_barrier_explicit, ompt_scope_begin, parallel, implicit);
	CALL(task_schedule, (ompt_data_t *, int, ompt_data_t *), implicit, ompt_task_switch, &task);
	CALL(task_schedule, (ompt_data_t *, int, ompt_data_t *), &task, ompt_task_complete,
	     implicit);
	wait_for(ompt_sync_region_barrier_explicit, ompt_scope_end, parallel, implicit);
}

static void region(void)
{
	ompt_data_t parallel = { 0 }, task = { 0 }, initial = { 0 };

	CALL(parallel_begin,
	     (ompt_data_t *, const void *, ompt_data_t *, unsigned int, int, const void *),
	     &initial, NULL, &parallel, 1, 0, NULL);
	CALL(implicit_task, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int),
	     ompt_scope_begin, &parallel, &task, 1, 0, ompt_task_implicit);
	loop(ompt_work_loop_dynamic, CHUNKS, &parallel, &task);
	loop(ompt_work_loop_static, 1, &parallel, &task);
	loop(ompt_work_loop_guided, 0, &parallel, &task);
	task_in_barrier(&parallel, &task);
	/* A cancelled loop has no end. */
	work(ompt_work_loop_dynamic, ompt_scope_begin, &parallel, &task);
	dispatch(2, &parallel, &task);
	wait_for(ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, &parallel, &task);
	wait_for(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, NULL, &task);
	CALL(implicit_task, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int),
	     ompt_scope_end, NULL, &task, 1, 0, ompt_task_implicit);
	CALL(parallel_end, (ompt_data_t *, ompt_data_t *, int, const void *), &parallel, &initial,
	     0, NULL);
}

int main(int argc, char **argv)
{
	ompt_start_tool_result_t *(*start)(unsigned int, const char *), *tool;
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;

	if (!library) {
		fprintf(stderr, "ompt_runtime: %s\n", dlerror());
		return 1;
	}
	*(void **)&start = dlsym(library, "ompt_start_tool");
	tool = start ? start(202111, "test") : NULL;
	if (!tool || !tool->initialize(lookup, 0, &tool->tool_data))
		return 1;
	region();
	region();
	tool->finalize(&tool->tool_data);
	return 0;
}
