// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: ompt_runtime TOOL [full | detached]
 *
 * Loads the tool as an OpenMP runtime would, and tells it what a runtime of OpenMP 5.2 tells: chunks of loops, which
 * the runtimes that are installed may not tell yet; loops that are cancelled; one task within a barrier; and a region
 * within one of one thread, whose words take the place of the outer one's. With "full", there are many other tasks;
 * with "detached", there were.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../libannot/attach/ompt/ompt_api.h"

#define NR_EVENTS 40
#define CHUNKS 5
#define MANY 40000

static ompt_callback_t callbacks[NR_EVENTS];
static ompt_data_t *current_region, *current_task;

/* Of nested locks it tells nothing. */
static int set_callback(int event, ompt_callback_t callback)
{
	if (event == ompt_callback_nest_lock)
		return 1; /* never */
	callbacks[event] = callback;
	return 5; /* always */
}

/* Beyond the innermost, what is asked for is there, but not to be had now. */
static int get_task_info(int level, int *flags, ompt_data_t **task, void **frame,
			 ompt_data_t **region, int *index)
{
	(void)flags, (void)frame, (void)index;
	if (level)
		return 1;
	*task = current_task;
	*region = current_region;
	return 2;
}

static int get_parallel_info(int level, ompt_data_t **region, int *nr_threads)
{
	(void)nr_threads;
	if (level)
		return 1;
	*region = current_region;
	return 2;
}

static ompt_interface_fn_t lookup(const char *name)
{
	return !strcmp(name, "ompt_set_callback")      ? (ompt_interface_fn_t)set_callback :
	       !strcmp(name, "ompt_get_task_info")     ? (ompt_interface_fn_t)get_task_info :
	       !strcmp(name, "ompt_get_parallel_info") ? (ompt_interface_fn_t)get_parallel_info :
							 NULL;
}

#define CALL(event, type, ...)                                                         \
	do {                                                                           \
		if (callbacks[ompt_callback_##event])                                  \
			((void(*) type)callbacks[ompt_callback_##event])(__VA_ARGS__); \
	} while (0)

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
	if (endpoint == ompt_scope_begin)
		CALL(sync_region, (int, int, ompt_data_t *, ompt_data_t *, const void *), kind,
		     endpoint, parallel, task, NULL);
	CALL(sync_region_wait, (int, int, ompt_data_t *, ompt_data_t *, const void *), kind,
	     endpoint, parallel, task, NULL);
	if (endpoint == ompt_scope_end)
		CALL(sync_region, (int, int, ompt_data_t *, ompt_data_t *, const void *), kind,
		     endpoint, parallel, task, NULL);
}

static void loop(enum ompt_work kind, int nr_chunks, ompt_data_t *parallel, ompt_data_t *task)
{
	work(kind, ompt_scope_begin, parallel, task);
	dispatch(nr_chunks, parallel, task);
	work(kind, ompt_scope_end, parallel, task);
}

static void task_create(ompt_data_t *parent, ompt_data_t *task)
{
	CALL(task_create, (ompt_data_t *, const void *, ompt_data_t *, int, int, const void *),
	     parent, NULL, task, ompt_task_explicit, 0, NULL);
}

/* It was executed before what it waits for came. */
static void task_fulfill(ompt_data_t *task)
{
	CALL(task_schedule, (ompt_data_t *, int, ompt_data_t *), task, ompt_task_detach, NULL);
	CALL(task_schedule, (ompt_data_t *, int, ompt_data_t *), task, ompt_task_late_fulfill,
	     NULL);
}

static void task_in_barrier(ompt_data_t *parallel, ompt_data_t *implicit)
{
	ompt_data_t task = { 0 };

	task_create(implicit, &task);
	wait_for(ompt_sync_region_barrier_explicit, ompt_scope_begin, parallel, implicit);
	CALL(task_schedule, (ompt_data_t *, int, ompt_data_t *), implicit, ompt_task_switch, &task);
	CALL(task_schedule, (ompt_data_t *, int, ompt_data_t *), &task, ompt_task_complete,
	     implicit);
	wait_for(ompt_sync_region_barrier_explicit, ompt_scope_end, parallel, implicit);
}

static void region_begin(ompt_data_t *region, ompt_data_t *parent)
{
	CALL(parallel_begin,
	     (ompt_data_t *, const void *, ompt_data_t *, unsigned int, int, const void *), parent,
	     NULL, region, 1, 0, NULL);
}

static void region_end(ompt_data_t *region, ompt_data_t *parent)
{
	CALL(parallel_end, (ompt_data_t *, ompt_data_t *, int, const void *), region, parent, 0,
	     NULL);
}

static void part(enum ompt_scope_endpoint endpoint, ompt_data_t *region, ompt_data_t *task)
{
	CALL(implicit_task, (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int),
	     endpoint, region, task, 1, 0, ompt_task_implicit);
}

/* A region of one thread has no barrier. */
static void region_within(ompt_data_t *task)
{
	ompt_data_t region = { 0 }, outer;

	region_begin(&region, task);
	outer = *task;
	task->value = 0;
	part(ompt_scope_begin, &region, task);
	loop(ompt_work_loop_static, 0, &region, task);
	part(ompt_scope_end, NULL, task);
	region_end(&region, &outer);
	*task = outer;
}

static void region(void)
{
	ompt_data_t region = { 0 }, task = { 0 }, initial = { 0 };

	region_begin(&region, &initial);
	current_region = &region;
	current_task = &task;
	part(ompt_scope_begin, &region, &task);
	loop(ompt_work_loop_dynamic, CHUNKS, &region, &task);
	loop(ompt_work_loop_static, 1, &region, &task);
	loop(ompt_work_loop_guided, 0, &region, &task);
	region_within(&task);
	task_in_barrier(&region, &task);
	CALL(reduction, (int, int, ompt_data_t *, ompt_data_t *, const void *), 0, ompt_scope_begin,
	     &region, &task, NULL);
	/* A cancelled loop has no end. */
	work(ompt_work_loop_dynamic, ompt_scope_begin, &region, &task);
	dispatch(2, &region, &task);
	wait_for(ompt_sync_region_barrier_implicit_parallel, ompt_scope_begin, &region, &task);
	wait_for(ompt_sync_region_barrier_implicit_parallel, ompt_scope_end, NULL, &task);
	part(ompt_scope_end, NULL, &task);
	region_end(&region, &initial);
}

int main(int argc, char **argv)
{
	ompt_start_tool_result_t *(*start)(unsigned int, const char *), *tool;
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	static ompt_data_t many[MANY];

	if (!library) {
		fprintf(stderr, "ompt_runtime: %s\n", dlerror());
		return 1;
	}
	*(void **)&start = dlsym(library, "ompt_start_tool");
	tool = start ? start(202111, "test") : NULL;
	if (!tool || !tool->initialize(lookup, 0, &tool->tool_data))
		return 1;
	for (int i = 0; argc > 2 && i < MANY; i++) {
		task_create(NULL, &many[i]);
		if (!strcmp(argv[2], "detached"))
			task_fulfill(&many[i]);
	}
	region();
	region();
	tool->finalize(&tool->tool_data);
	return 0;
}
