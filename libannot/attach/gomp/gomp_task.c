// SPDX-License-Identifier: MIT
/* Tasks, and the groups that they are in. */
#include "gomp_runtime.h"
#include "gomp_task_body.h"

/* Only whether it is told differs: so the compiler makes a jump of the call. */
void GOMP_task(PARAMETERS_TASK)
{
	const void *caller = __builtin_return_address(0);
	const struct gomp_runtime *runtime = gomp_runtime_of((const void *)body);

	if (gomp_runtime_is_told(runtime))
		body = gomp_task_body(body, place_of_call("task", PLACE_FUNCTION, caller));
	runtime->GOMP_task(body, data, copy, data_bytes, alignment, may_defer, flags, depend,
			   priority, detach);
}

static void group_wait(const struct gomp_runtime *runtime)
{
	static struct place *taskgroup;

	attach_wait_begin(place_of_literal(&taskgroup, "taskgroup"));
	runtime->GOMP_taskgroup_end();
	attach_wait_end();
}

void GOMP_taskgroup_end(void)
{
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));

	if (gomp_runtime_is_told(runtime))
		group_wait(runtime);
	else
		runtime->GOMP_taskgroup_end();
}

/*
 * A taskloop that waits for its tasks does so inside of it. Here, it is a taskloop that does not, in a group that is
 * told. Not if it has reductions: the runtime begins these together with the group.
 */
static bool group_begin(const struct gomp_runtime *runtime, unsigned int *flags)
{
	if (*flags & (GOMP_TASKLOOP_NO_GROUP | GOMP_TASKLOOP_REDUCTION))
		return false;
	*flags |= GOMP_TASKLOOP_NO_GROUP;
	runtime->GOMP_taskgroup_start();
	return true;
}

/* Tasks and the loop that makes them are told apart, as by other runtimes. */
#define TASKLOOP(name, parameters, count)                                                         \
	void name(parameters)                                                                     \
	{                                                                                         \
		const void *caller = __builtin_return_address(0);                                 \
		const struct gomp_runtime *runtime = gomp_runtime_of((const void *)body);         \
		bool has_group;                                                                   \
                                                                                                  \
		if (!gomp_runtime_is_told(runtime)) {                                             \
			runtime->name(body, data, copy, data_bytes, alignment, flags, nr_tasks,   \
				      priority, from, to, step);                                  \
			return;                                                                   \
		}                                                                                 \
		body = gomp_task_body(body, place_of_call("task", PLACE_FUNCTION, caller));       \
		attach_work_begin_value(place_of_call("taskloop", PLACE_LINE, caller), count);    \
		has_group = group_begin(runtime, &flags);                                         \
		runtime->name(body, data, copy, data_bytes, alignment, flags, nr_tasks, priority, \
			      from, to, step);                                                    \
		attach_work_end();                                                                \
		if (has_group)                                                                    \
			group_wait(runtime);                                                      \
	}
TASKLOOP(GOMP_taskloop, PARAMETERS_TASKLOOP, gomp_count(from, to, step))
TASKLOOP(GOMP_taskloop_ull, PARAMETERS_TASKLOOP_ULL,
	 gomp_count_ull(flags &GOMP_TASKLOOP_IS_UP, from, to, step))
