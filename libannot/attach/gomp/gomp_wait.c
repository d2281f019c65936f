// SPDX-License-Identifier: MIT
/* Waits for the threads of the team, and for tasks. */
#include "gomp_runtime.h"
#include "gomp_share.h"

static void barrier_begin(void)
{
	static struct place *barrier;

	attach_wait_begin(place_of_literal(&barrier, "barrier"));
}

static void taskwait_begin(void)
{
	static struct place *taskwait;

	attach_wait_begin(place_of_literal(&taskwait, "taskwait"));
}

#define GOMP_FUNCTION(type, name, parameters)
#define GOMP_BARRIER(name)                                                                         \
	void name(void)                                                                            \
	{                                                                                          \
		const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0)); \
                                                                                                   \
		gomp_share_end();                                                                  \
		if (!gomp_runtime_is_told(runtime)) {                                              \
			runtime->name();                                                           \
			return;                                                                    \
		}                                                                                  \
		barrier_begin();                                                                   \
		runtime->name();                                                                   \
		attach_wait_end();                                                                 \
	}
#define GOMP_BARRIER_CANCEL(name)                                                                  \
	bool name(void)                                                                            \
	{                                                                                          \
		const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0)); \
		bool is_cancelled;                                                                 \
                                                                                                   \
		gomp_share_end();                                                                  \
		if (!gomp_runtime_is_told(runtime))                                                \
			return runtime->name();                                                    \
		barrier_begin();                                                                   \
		is_cancelled = runtime->name();                                                    \
		attach_wait_end();                                                                 \
		return is_cancelled;                                                               \
	}
#include "gomp_functions.def"

void GOMP_single_copy_end(void *data)
{
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));

	gomp_share_end();
	if (!gomp_runtime_is_told(runtime)) {
		runtime->GOMP_single_copy_end(data);
		return;
	}
	barrier_begin();
	runtime->GOMP_single_copy_end(data);
	attach_wait_end();
}

/* In place of the barrier of what has reductions of tasks. */
void GOMP_workshare_task_reduction_unregister(bool is_cancelled)
{
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));

	gomp_share_end();
	if (!gomp_runtime_is_told(runtime)) {
		runtime->GOMP_workshare_task_reduction_unregister(is_cancelled);
		return;
	}
	barrier_begin();
	runtime->GOMP_workshare_task_reduction_unregister(is_cancelled);
	attach_wait_end();
}

void GOMP_taskwait(void)
{
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));

	if (!gomp_runtime_is_told(runtime)) {
		runtime->GOMP_taskwait();
		return;
	}
	taskwait_begin();
	runtime->GOMP_taskwait();
	attach_wait_end();
}

void GOMP_taskwait_depend(void **depend)
{
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));

	if (!gomp_runtime_is_told(runtime)) {
		runtime->GOMP_taskwait_depend(depend);
		return;
	}
	taskwait_begin();
	runtime->GOMP_taskwait_depend(depend);
	attach_wait_end();
}
