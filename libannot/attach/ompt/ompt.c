// SPDX-License-Identifier: MIT
/*
 * The front of OpenMP runtimes that speak OMPT: LLVM's libomp, and Intel's. The runtime loads it because
 * of OMP_TOOL_LIBRARIES.
 */
#include <stddef.h>

#include "../sink.h"
#include "ompt_api.h"
#include "ompt_chain.h"

__attribute__((visibility("default"))) ompt_start_tool_result_t *
ompt_start_tool(unsigned int omp_version, const char *runtime_version);

static struct attach_runtime runtime = ATTACH_RUNTIME("ompt");

/*
 * What the runtime keeps for us of a parallel region: its team, and the index of its place. 0: nothing
 * recorded when it began.
 */
#define TEAM_BITS 34
#define TEAM_MASK ((UINT64_C(1) << TEAM_BITS) - 1)
#define INDEX_BITS 14

/* ... and of a task, in the bits above a team's number or the value of a wait: */
#define TASK_IS_EXPLICIT (UINT64_C(1) << TEAM_BITS)
#define TASK_IS_OPEN \
	(UINT64_C(1) << (TEAM_BITS + 1)) /* the innermost span, or below it, is its span */
#define PLACE_SHIFT (TEAM_BITS + 2) /* of an explicit task */
#define LOOP_IS_OPEN \
	(UINT64_C(1) << PLACE_SHIFT) /* of an implicit task: it is in a loop or sections */
#define LOOP_HAS_CHUNKS (UINT64_C(1) << (PLACE_SHIFT + 1)) /* ... that the runtime hands out */
#define CHUNKS_SHIFT (PLACE_SHIFT + 2) /* ... how many of them so far */
#define WAIT_SHIFT (PLACE_SHIFT + INDEX_BITS) /* place of the wait that it interrupts */

_Static_assert(PLACES_MAX <= 1 << INDEX_BITS, "an index of a place fits");
_Static_assert(WAIT_SHIFT + INDEX_BITS <= 64, "all of it fits");

static struct place *place_in(uint64_t data, int shift)
{
	return place_at((data >> shift) & ((1 << INDEX_BITS) - 1));
}

static void on_parallel_begin(ompt_data_t *encountering_task, const void *encountering_frame,
			      ompt_data_t *parallel, unsigned int requested, int flags,
			      const void *return_address)
{
	(void)encountering_task;
	(void)encountering_frame;
	(void)requested;
	(void)flags;
	parallel->value = 0;
	if (!attach_is_recording())
		return;
	parallel->value = (attach_team_begin(&runtime) & TEAM_MASK) |
			  (uint64_t)place_of_call("parallel", PLACE_LINE, return_address)->index
				  << PLACE_SHIFT;
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *encountering_task, int flags,
			    const void *return_address)
{
	(void)encountering_task;
	(void)flags;
	(void)return_address;
	if (parallel->value && attach_is_recording())
		attach_team_end(&runtime, parallel->value & TEAM_MASK);
}

static bool is_in_loop(const ompt_data_t *task)
{
	return task && (task->value & (TASK_IS_EXPLICIT | LOOP_IS_OPEN)) == LOOP_IS_OPEN;
}

/* A loop that is cancelled may not tell its end. */
static void loop_end(ompt_data_t *task)
{
	static struct place *chunks;

	if (!is_in_loop(task))
		return;
	if (task->value & LOOP_HAS_CHUNKS)
		attach_mark_value(place_of_literal(&chunks, "@chunks"),
				  (int64_t)(task->value >> CHUNKS_SHIFT));
	task->value &= LOOP_IS_OPEN - 1;
	attach_work_end();
}

static void on_implicit_task(enum ompt_scope_endpoint endpoint, ompt_data_t *parallel,
			     ompt_data_t *task, unsigned int nr_threads, unsigned int index,
			     int flags)
{
	(void)nr_threads;
	(void)index;
	if (flags & ompt_task_initial)
		return;
	if (endpoint == ompt_scope_begin) {
		task->value = 0;
		if (!parallel || !parallel->value || !attach_is_recording())
			return;
		task->value = (parallel->value & TEAM_MASK) | TASK_IS_OPEN;
		attach_region_begin(parallel->value & TEAM_MASK,
				    place_in(parallel->value, PLACE_SHIFT));
	} else if (task->value & TASK_IS_OPEN) {
		/* A team of one thread has no barrier. */
		loop_end(task);
		task->value = 0;
		attach_work_end();
	}
}

/* The thread may be told of the end of this wait only when the next region begins. */
static void region_barrier_begin(ompt_data_t *task)
{
	if (!(task->value & TASK_IS_OPEN))
		return;
	loop_end(task);
	task->value &= ~TASK_IS_OPEN;
	attach_region_end(&runtime, task->value & TEAM_MASK);
}

static struct place *place_of_wait(enum ompt_sync_region kind)
{
	static struct place *taskwait, *taskgroup, *barrier;

	switch (kind) {
	case ompt_sync_region_taskwait:
		return place_of_literal(&taskwait, "taskwait");
	case ompt_sync_region_taskgroup:
		return place_of_literal(&taskgroup, "taskgroup");
	default:
		return place_of_literal(&barrier, "barrier");
	}
}

/*
 * Before OpenMP 5.1, one kind stood for all implicit barriers. That of a region's end comes from no call
 * of the program's, or from that which began the region.
 */
static bool ends_region(enum ompt_sync_region kind, const ompt_data_t *parallel,
			const void *return_address)
{
	if (kind == ompt_sync_region_barrier_implicit_parallel)
		return true;
	if (kind != ompt_sync_region_barrier_implicit)
		return false;
	return !return_address || !parallel ||
	       (parallel->value &&
		place_in(parallel->value, PLACE_SHIFT)->address == (uintptr_t)return_address - 1);
}

static void on_sync_region_wait(enum ompt_sync_region kind, enum ompt_scope_endpoint endpoint,
				ompt_data_t *parallel, ompt_data_t *task,
				const void *return_address)
{
	if (!attach_is_recording())
		return;
	if (ends_region(kind, parallel, return_address)) {
		if (endpoint == ompt_scope_begin && task)
			region_barrier_begin(task);
		return;
	}
	if (endpoint == ompt_scope_end) {
		attach_wait_end();
		return;
	}
	if (kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup)
		loop_end(task);
	attach_wait_begin(place_of_wait(kind));
}

/* NULL: it is no work. */
static const char *word_of_work(enum ompt_work kind)
{
	switch (kind) {
	case ompt_work_loop:
	case ompt_work_loop_static:
	case ompt_work_loop_dynamic:
	case ompt_work_loop_guided:
	case ompt_work_loop_other:
		return "for";
	case ompt_work_sections:
		return "sections";
	case ompt_work_single_executor:
		return "single";
	case ompt_work_workshare:
		return "workshare";
	case ompt_work_distribute:
		return "distribute";
	case ompt_work_taskloop:
		return "taskloop";
	case ompt_work_scope:
		return "scope";
	default:
		return NULL;
	}
}

static bool is_loop(enum ompt_work kind)
{
	return kind == ompt_work_loop || kind == ompt_work_sections ||
	       kind >= ompt_work_loop_static;
}

/* Of other loops, the program's own code computes the chunks. */
static bool has_chunks(enum ompt_work kind)
{
	return kind == ompt_work_loop_dynamic || kind == ompt_work_loop_guided ||
	       kind == ompt_work_loop_other;
}

/* No two are open at once. Others may be in one, and one in others. */
static void loop_begin(ompt_data_t *task, enum ompt_work kind)
{
	loop_end(task);
	if (task && !(task->value & TASK_IS_EXPLICIT))
		task->value |= LOOP_IS_OPEN | (has_chunks(kind) ? LOOP_HAS_CHUNKS : 0);
}

/* From libomp 19 on. */
static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, enum ompt_dispatch kind,
			ompt_data_t instance)
{
	(void)parallel;
	(void)instance;
	if (kind == ompt_dispatch_ws_loop_chunk && is_in_loop(task) &&
	    task->value & LOOP_HAS_CHUNKS &&
	    task->value >> CHUNKS_SHIFT < UINT64_MAX >> CHUNKS_SHIFT)
		task->value += UINT64_C(1) << CHUNKS_SHIFT;
}

static void on_work(enum ompt_work kind, enum ompt_scope_endpoint endpoint, ompt_data_t *parallel,
		    ompt_data_t *task, uint64_t count, const void *return_address)
{
	const char *word = word_of_work(kind);

	(void)parallel;
	if (!word || !attach_is_recording())
		return;
	if (endpoint == ompt_scope_begin) {
		if (is_loop(kind))
			loop_begin(task, kind);
		attach_work_begin_value(place_of_call(word, PLACE_LINE, return_address),
					(int64_t)count);
	} else if (is_loop(kind) && is_in_loop(task)) {
		loop_end(task);
	} else if (!is_loop(kind)) {
		attach_work_end();
	}
}

static void on_masked(enum ompt_scope_endpoint endpoint, ompt_data_t *parallel, ompt_data_t *task,
		      const void *return_address)
{
	(void)parallel;
	(void)task;
	if (!attach_is_recording())
		return;
	if (endpoint == ompt_scope_begin)
		attach_work_begin(place_of_call("masked", PLACE_LINE, return_address));
	else
		attach_work_end();
}

static void on_task_create(ompt_data_t *encountering_task, const void *encountering_frame,
			   ompt_data_t *task, int flags, int has_dependences,
			   const void *return_address)
{
	(void)encountering_task;
	(void)encountering_frame;
	(void)has_dependences;
	task->value = 0;
	if (!(flags & ompt_task_explicit) || !attach_is_recording())
		return;
	task->value = TASK_IS_EXPLICIT |
		      (uint64_t)place_of_call("task", PLACE_FUNCTION, return_address)->index
			      << PLACE_SHIFT;
}

/* The task's place stays in its data; the wait that it interrupts comes and goes. */
#define TASK_KEEPS (TASK_IS_EXPLICIT | ((UINT64_C(1) << INDEX_BITS) - 1) << PLACE_SHIFT)

static void explicit_task_begin(ompt_data_t *task)
{
	struct attach_wait wait = attach_task_begin(place_in(task->value, PLACE_SHIFT));

	task->value = (task->value & TASK_KEEPS) | TASK_IS_OPEN |
		      (wait.packed >> 48) << WAIT_SHIFT | (wait.packed & TEAM_MASK);
}

static void explicit_task_end(ompt_data_t *task)
{
	attach_task_end(attach_wait_of(place_in(task->value, WAIT_SHIFT),
				       (int64_t)(task->value & TEAM_MASK)));
	task->value &= TASK_KEEPS;
}

static bool is_final(enum ompt_task_status status)
{
	return status == ompt_task_complete || status == ompt_task_cancel ||
	       status == ompt_task_detach;
}

static bool is_task_in(const ompt_data_t *task, bool open)
{
	return task && task->value & TASK_IS_EXPLICIT && !(task->value & TASK_IS_OPEN) == !open;
}

/*
 * A thread goes from one task to another. A task that waits is below the one that is executed meanwhile. An
 * untied task may leave its thread before it is complete, and go on in another.
 */
static void on_task_schedule(ompt_data_t *prior, enum ompt_task_status status, ompt_data_t *next)
{
	if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill ||
	    !attach_is_recording())
		return;
	if (is_task_in(prior, true) && (is_final(status) || !is_task_in(next, false)))
		explicit_task_end(prior);
	if (is_task_in(next, false))
		explicit_task_begin(next);
}

static bool is_test(enum ompt_mutex kind)
{
	return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;
}

static const char *word_of_mutex(enum ompt_mutex kind)
{
	switch (kind) {
	case ompt_mutex_critical:
		return "critical";
	case ompt_mutex_atomic:
		return "atomic";
	case ompt_mutex_ordered:
		return "ordered";
	default:
		return "lock";
	}
}

static void on_mutex_acquire(enum ompt_mutex kind, unsigned int hint, unsigned int implementation,
			     uint64_t wait_id, const void *return_address)
{
	(void)hint;
	(void)implementation;
	/* A test does not wait. */
	if (is_test(kind) || !attach_is_recording())
		return;
	attach_wait_begin_value(place_of_call(word_of_mutex(kind), PLACE_LINE, return_address),
				(int64_t)wait_id);
}

static void on_mutex_acquired(enum ompt_mutex kind, uint64_t wait_id, const void *return_address)
{
	if (is_test(kind) || !attach_is_recording())
		return;
	if (kind == ompt_mutex_critical)
		attach_wait_end_work_begin_value(place_of_call("critical", PLACE_LINE,
							       return_address),
						 (int64_t)wait_id);
	else
		attach_wait_end();
}

/* In place of on_mutex_acquired() if the thread has the lock already. */
static void on_nest_lock(enum ompt_scope_endpoint endpoint, uint64_t wait_id,
			 const void *return_address)
{
	(void)wait_id;
	(void)return_address;
	if (endpoint == ompt_scope_begin && attach_is_recording())
		attach_wait_end();
}

static void on_mutex_released(enum ompt_mutex kind, uint64_t wait_id, const void *return_address)
{
	(void)wait_id;
	(void)return_address;
	/* Locks need not be released in the order that spans need. */
	if (kind == ompt_mutex_critical && attach_is_recording())
		attach_work_end();
}

#define CALLBACK(event)                                            \
	{                                                          \
		ompt_callback_##event, (ompt_callback_t)on_##event \
	}

static const struct {
	int event;
	ompt_callback_t call;
} callbacks[] = {
	CALLBACK(parallel_begin), CALLBACK(parallel_end),     CALLBACK(implicit_task),
	CALLBACK(task_create),	  CALLBACK(task_schedule),    CALLBACK(work),
	CALLBACK(masked),	  CALLBACK(sync_region_wait), CALLBACK(mutex_acquire),
	CALLBACK(mutex_acquired), CALLBACK(mutex_released),   CALLBACK(dispatch),
	CALLBACK(nest_lock),
};

static int tool_initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *data)
{
	ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)data;
	if (!set_callback)
		return 0;
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(callbacks[0]); i++)
		set_callback(callbacks[i].event,
			     ompt_chain_callback(callbacks[i].event, callbacks[i].call));
	ompt_chain_initialize(lookup, initial_device);
	return 1;
}

static void tool_finalize(ompt_data_t *data)
{
	(void)data;
	ompt_chain_finalize();
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version)
{
	static ompt_start_tool_result_t tool = { tool_initialize, tool_finalize, { 0 } };

	ompt_chain_open(omp_version, runtime_version);
	return &tool;
}
