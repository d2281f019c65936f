// SPDX-License-Identifier: MIT
#include "ompt_chain.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../key_map.h"

static ompt_start_tool_result_t *next;
static ompt_callback_t own_calls[OMPT_EVENTS], next_calls[OMPT_EVENTS];
static ompt_function_lookup_t runtime_lookup;

/* This front's words of tasks, by the address of the other tool's. */
static struct key_map words;

/* What stands for a word that finds no room. */
static __thread ompt_data_t nothing __attribute__((tls_model("initial-exec")));

/*
 * Where a thread begins a region within one that it is alone in, libomp puts the inner task's word in the place of the
 * outer one's, which comes back at the end. So does this front.
 */
struct outer_word {
	const ompt_data_t *word;
	uint64_t own;
	struct outer_word *outer;
};

static __thread struct outer_word *outer_words __attribute__((tls_model("initial-exec")));

/*
 * The word of a region moves: libomp hands it out in a place of its own before the region is there. So it holds the
 * address of both tools' words. That of the program's outermost, implicit region does not: no tool was told of
 * its begin.
 */
struct region_words {
	ompt_data_t own;
	ompt_data_t other;
};

static struct key_map regions; /* by their addresses */

static ompt_data_t *no_room(void)
{
	nothing.value = 0;
	return &nothing;
}

static ompt_data_t *own_word(const ompt_data_t *word)
{
	ompt_data_t *own;

	if (!word)
		return NULL;
	own = (ompt_data_t *)key_map_slot(&words, (uint64_t)(uintptr_t)word);
	return own ? own : no_room();
}

/* What the end of something must find again is not told without it. */
static bool has_room(const ompt_data_t *own)
{
	return own != &nothing;
}

static struct region_words *region_of(const ompt_data_t *parallel)
{
	return parallel && parallel->ptr ?
		       key_map_get(&regions, (uint64_t)(uintptr_t)parallel->ptr) :
		       NULL;
}

static ompt_data_t *own_region(const ompt_data_t *parallel)
{
	struct region_words *region = region_of(parallel);

	return region ? &region->own : parallel ? no_room() : NULL;
}

static ompt_data_t *other_region(ompt_data_t *parallel)
{
	struct region_words *region = region_of(parallel);

	return region ? &region->other : parallel;
}

static void region_begin(ompt_data_t *parallel)
{
	struct region_words *region = calloc(1, sizeof(*region));

	if (region && !key_map_put(&regions, (uint64_t)(uintptr_t)region, region)) {
		free(region);
		region = NULL;
	}
	if (region)
		parallel->ptr = region;
}

static void region_end(ompt_data_t *parallel)
{
	struct region_words *region = region_of(parallel);

	if (region)
		key_map_take(&regions, (uint64_t)(uintptr_t)region);
	free(region);
}

static void forget_word(const ompt_data_t *word)
{
	if (word)
		key_map_take(&words, (uint64_t)(uintptr_t)word);
}

static void outer_word_keep(const ompt_data_t *word)
{
	uint64_t own = own_word(word)->value;
	struct outer_word *kept = own ? malloc(sizeof(*kept)) : NULL;

	if (!kept)
		return;
	*kept = (struct outer_word){ .word = word, .own = own, .outer = outer_words };
	outer_words = kept;
}

static void outer_word_restore(const ompt_data_t *word)
{
	struct outer_word *kept = outer_words;

	if (!kept || kept->word != word)
		return;
	own_word(word)->value = kept->own;
	outer_words = kept->outer;
	free(kept);
}

#define OWN(event, parameters, ...) \
	((void(*) parameters)own_calls[ompt_callback_##event])(__VA_ARGS__)
#define NEXT(event, parameters, ...)                                                          \
	do {                                                                                  \
		if (next_calls[ompt_callback_##event])                                        \
			((void(*) parameters)next_calls[ompt_callback_##event])(__VA_ARGS__); \
	} while (0)

/* This front asks nothing of the task that begins a region, or creates another task. */

#define PARALLEL_BEGIN (ompt_data_t *, const void *, ompt_data_t *, unsigned int, int, const void *)

static void chain_parallel_begin(ompt_data_t *task, const void *frame, ompt_data_t *parallel,
				 unsigned int requested, int flags, const void *address)
{
	region_begin(parallel);
	OWN(parallel_begin, PARALLEL_BEGIN, NULL, frame, own_region(parallel), requested, flags,
	    address);
	NEXT(parallel_begin, PARALLEL_BEGIN, task, frame, other_region(parallel), requested, flags,
	     address);
}

#define PARALLEL_END (ompt_data_t *, ompt_data_t *, int, const void *)

static void chain_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags,
			       const void *address)
{
	OWN(parallel_end, PARALLEL_END, own_region(parallel), NULL, flags, address);
	NEXT(parallel_end, PARALLEL_END, other_region(parallel), task, flags, address);
	region_end(parallel);
}

#define IMPLICIT_TASK (int, ompt_data_t *, ompt_data_t *, unsigned int, unsigned int, int)

static void chain_implicit_task(int endpoint, ompt_data_t *parallel, ompt_data_t *task,
				unsigned int nr_threads, unsigned int index, int flags)
{
	ompt_data_t *own;

	if (endpoint == ompt_scope_begin)
		outer_word_keep(task);
	own = own_word(task);
	if (has_room(own))
		OWN(implicit_task, IMPLICIT_TASK, endpoint, own_region(parallel), own, nr_threads,
		    index, flags);
	NEXT(implicit_task, IMPLICIT_TASK, endpoint, other_region(parallel), task, nr_threads,
	     index, flags);
	if (endpoint != ompt_scope_end)
		return;
	forget_word(task);
	outer_word_restore(task);
}

#define TASK_CREATE (ompt_data_t *, const void *, ompt_data_t *, int, int, const void *)

static void chain_task_create(ompt_data_t *parent, const void *frame, ompt_data_t *task, int flags,
			      int has_dependences, const void *address)
{
	OWN(task_create, TASK_CREATE, NULL, frame, own_word(task), flags, has_dependences, address);
	NEXT(task_create, TASK_CREATE, parent, frame, task, flags, has_dependences, address);
}

#define TASK_SCHEDULE (ompt_data_t *, int, ompt_data_t *)

static void chain_task_schedule(ompt_data_t *prior, int status, ompt_data_t *following)
{
	OWN(task_schedule, TASK_SCHEDULE, own_word(prior), status, own_word(following));
	NEXT(task_schedule, TASK_SCHEDULE, prior, status, following);
	if (status == ompt_task_complete || status == ompt_task_cancel ||
	    status == ompt_task_late_fulfill || status == ompt_taskwait_complete)
		forget_word(prior);
}

#define SYNC_REGION (int, int, ompt_data_t *, ompt_data_t *, const void *)

static void chain_sync_region_wait(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
				   const void *address)
{
	OWN(sync_region_wait, SYNC_REGION, kind, endpoint, own_region(parallel), own_word(task),
	    address);
	NEXT(sync_region_wait, SYNC_REGION, kind, endpoint, other_region(parallel), task, address);
}

/* Of these, this front hears nothing. The other tool is to get its word of the region. */

static void chain_sync_region(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			      const void *address)
{
	NEXT(sync_region, SYNC_REGION, kind, endpoint, other_region(parallel), task, address);
}

static void chain_reduction(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			    const void *address)
{
	NEXT(reduction, SYNC_REGION, kind, endpoint, other_region(parallel), task, address);
}

#define WORK (int, int, ompt_data_t *, ompt_data_t *, uint64_t, const void *)

static void chain_work(int kind, int endpoint, ompt_data_t *parallel, ompt_data_t *task,
		       uint64_t count, const void *address)
{
	ompt_data_t *own = own_word(task);

	if (has_room(own))
		OWN(work, WORK, kind, endpoint, own_region(parallel), own, count, address);
	NEXT(work, WORK, kind, endpoint, other_region(parallel), task, count, address);
}

#define MASKED (int, ompt_data_t *, ompt_data_t *, const void *)

static void chain_masked(int endpoint, ompt_data_t *parallel, ompt_data_t *task,
			 const void *address)
{
	OWN(masked, MASKED, endpoint, own_region(parallel), own_word(task), address);
	NEXT(masked, MASKED, endpoint, other_region(parallel), task, address);
}

#define DISPATCH (ompt_data_t *, ompt_data_t *, int, ompt_data_t)

static void chain_dispatch(ompt_data_t *parallel, ompt_data_t *task, int kind, ompt_data_t instance)
{
	OWN(dispatch, DISPATCH, own_region(parallel), own_word(task), kind, instance);
	NEXT(dispatch, DISPATCH, other_region(parallel), task, kind, instance);
}

#define MUTEX_ACQUIRE (int, unsigned int, unsigned int, uint64_t, const void *)

static void chain_mutex_acquire(int kind, unsigned int hint, unsigned int implementation,
				uint64_t wait_id, const void *address)
{
	OWN(mutex_acquire, MUTEX_ACQUIRE, kind, hint, implementation, wait_id, address);
	NEXT(mutex_acquire, MUTEX_ACQUIRE, kind, hint, implementation, wait_id, address);
}

#define MUTEX (int, uint64_t, const void *)

static void chain_mutex_acquired(int kind, uint64_t wait_id, const void *address)
{
	OWN(mutex_acquired, MUTEX, kind, wait_id, address);
	NEXT(mutex_acquired, MUTEX, kind, wait_id, address);
}

static void chain_mutex_released(int kind, uint64_t wait_id, const void *address)
{
	OWN(mutex_released, MUTEX, kind, wait_id, address);
	NEXT(mutex_released, MUTEX, kind, wait_id, address);
}

static void chain_nest_lock(int endpoint, uint64_t wait_id, const void *address)
{
	OWN(nest_lock, MUTEX, endpoint, wait_id, address);
	NEXT(nest_lock, MUTEX, endpoint, wait_id, address);
}

#define CHAIN(event) [ompt_callback_##event] = (ompt_callback_t)chain_##event

static const ompt_callback_t chain_calls[OMPT_EVENTS] = {
	CHAIN(parallel_begin), CHAIN(parallel_end),	CHAIN(implicit_task),
	CHAIN(task_create),    CHAIN(task_schedule),	CHAIN(work),
	CHAIN(masked),	       CHAIN(sync_region_wait), CHAIN(mutex_acquire),
	CHAIN(mutex_acquired), CHAIN(mutex_released),	CHAIN(dispatch),
	CHAIN(nest_lock),      CHAIN(sync_region),	CHAIN(reduction),
};

ompt_callback_t ompt_chain_callback(int event, ompt_callback_t own)
{
	if (!next)
		return own;
	own_calls[event] = own;
	return chain_calls[event];
}

/* What the other tool registers. */
static int chain_set_callback(int event, ompt_callback_t callback)
{
	ompt_set_callback_t set_callback = (ompt_set_callback_t)runtime_lookup("ompt_set_callback");

	if (event <= 0 || event >= OMPT_EVENTS || !chain_calls[event])
		return set_callback(event, callback);
	next_calls[event] = callback;
	return set_callback(event, callback || own_calls[event] ? chain_calls[event] : NULL);
}

static int chain_get_callback(int event, ompt_callback_t *callback)
{
	int (*get_callback)(int, ompt_callback_t *);

	if (event > 0 && event < OMPT_EVENTS && chain_calls[event]) {
		*callback = next_calls[event];
		return *callback != NULL;
	}
	get_callback = (int (*)(int, ompt_callback_t *))runtime_lookup("ompt_get_callback");
	return get_callback ? get_callback(event, callback) : 0;
}

#define AVAILABLE 2 /* what these return if they have set what they are asked for */

static int chain_get_parallel_info(int level, ompt_data_t **parallel, int *team_size)
{
	int (*get_info)(int, ompt_data_t **, int *) =
		(int (*)(int, ompt_data_t **, int *))runtime_lookup("ompt_get_parallel_info");
	int status = get_info ? get_info(level, parallel, team_size) : 0;

	if (status == AVAILABLE && parallel && *parallel)
		*parallel = other_region(*parallel);
	return status;
}

#define TASK_INFO (int, int *, ompt_data_t **, void **, ompt_data_t **, int *)

static int chain_get_task_info(int level, int *flags, ompt_data_t **task, void **frame,
			       ompt_data_t **parallel, int *index)
{
	int(*get_info) TASK_INFO = (int(*) TASK_INFO)runtime_lookup("ompt_get_task_info");
	int status = get_info ? get_info(level, flags, task, frame, parallel, index) : 0;

	if (status == AVAILABLE && parallel && *parallel)
		*parallel = other_region(*parallel);
	return status;
}

static ompt_interface_fn_t chain_lookup(const char *name)
{
	if (!strcmp(name, "ompt_set_callback"))
		return (ompt_interface_fn_t)chain_set_callback;
	if (!strcmp(name, "ompt_get_callback"))
		return (ompt_interface_fn_t)chain_get_callback;
	if (!strcmp(name, "ompt_get_parallel_info"))
		return (ompt_interface_fn_t)chain_get_parallel_info;
	if (!strcmp(name, "ompt_get_task_info"))
		return (ompt_interface_fn_t)chain_get_task_info;
	return runtime_lookup(name);
}

void ompt_chain_initialize(ompt_function_lookup_t lookup, int initial_device)
{
	runtime_lookup = lookup;
	if (next && !next->initialize(chain_lookup, initial_device, &next->tool_data)) {
		memset(next_calls, 0, sizeof(next_calls));
		next = NULL;
	}
}

void ompt_chain_finalize(void)
{
	if (next)
		next->finalize(&next->tool_data);
}

static ompt_start_tool_result_t *start_tool(const char *path, unsigned int omp_version,
					    const char *runtime_version)
{
	void *library = dlopen(path, RTLD_LAZY);
	ompt_start_tool_result_t *(*start)(unsigned int, const char *);

	if (!library)
		return NULL;
	*(void **)&start = dlsym(library, "ompt_start_tool");
	return start ? start(omp_version, runtime_version) : NULL;
}

bool ompt_chain_open(unsigned int omp_version, const char *runtime_version)
{
	const char *list = getenv("ANNOT_ATTACH_NEXT_OMPT");
	char path[PATH_MAX];

	while (list && *list && !next) {
		size_t length = strcspn(list, ":");

		if (length && length < sizeof(path)) {
			memcpy(path, list, length);
			path[length] = '\0';
			next = start_tool(path, omp_version, runtime_version);
		}
		list += length + !!list[length];
	}
	return next != NULL;
}
