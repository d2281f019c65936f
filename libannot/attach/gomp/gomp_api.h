/* SPDX-License-Identifier: MIT */
/*
 * The functions of libgomp that are wrapped, as gcc's code calls them; their names and parameters are libgomp's.
 * Declared here, so that annot can be built where libgomp is not installed, and by any compiler.
 *
 * A caller that was built with an older gcc may pass fewer arguments than stand here, the last ones missing.
 * What is then read in their place is handed on, and ignored there, too.
 */
#ifndef LIBANNOT_ATTACH_GOMP_API_H
#define LIBANNOT_ATTACH_GOMP_API_H

#include <stdbool.h>
#include <stdint.h>

typedef unsigned long long gomp_ull;

/* What the compiler makes of the block below a directive: its variables are in @data. */
typedef void gomp_body(void *data);

/* Makes @to, the data of a task, of what the thread that creates it has. */
typedef void gomp_copy(void *to, void *from);

/*
 * Parameters; the same as arguments; and how many iterations a loop has. The arguments of regions are those behind
 * the body and its data.
 */
#define PARAMETERS_NONE void
#define ARGUMENTS_NONE

#define PARAMETERS_PARALLEL gomp_body *body, void *data, unsigned int nr_threads, unsigned int flags
#define ARGUMENTS_PARALLEL nr_threads, flags
#define COUNT_PARALLEL 0

#define PARAMETERS_PARALLEL_LOOP                                                             \
	gomp_body *body, void *data, unsigned int nr_threads, long from, long to, long step, \
		long chunk, unsigned int flags
#define ARGUMENTS_PARALLEL_LOOP nr_threads, from, to, step, chunk, flags
#define COUNT_PARALLEL_LOOP gomp_count(from, to, step)

#define PARAMETERS_PARALLEL_LOOP_RUNTIME                                                     \
	gomp_body *body, void *data, unsigned int nr_threads, long from, long to, long step, \
		unsigned int flags
#define ARGUMENTS_PARALLEL_LOOP_RUNTIME nr_threads, from, to, step, flags
#define COUNT_PARALLEL_LOOP_RUNTIME gomp_count(from, to, step)

#define PARAMETERS_PARALLEL_SECTIONS                                                    \
	gomp_body *body, void *data, unsigned int nr_threads, unsigned int nr_sections, \
		unsigned int flags
#define ARGUMENTS_PARALLEL_SECTIONS nr_threads, nr_sections, flags
#define COUNT_PARALLEL_SECTIONS nr_sections

#define PARAMETERS_PARALLEL_START gomp_body *body, void *data, unsigned int nr_threads
#define ARGUMENTS_PARALLEL_START nr_threads
#define COUNT_PARALLEL_START 0

#define PARAMETERS_PARALLEL_LOOP_START                                                       \
	gomp_body *body, void *data, unsigned int nr_threads, long from, long to, long step, \
		long chunk
#define ARGUMENTS_PARALLEL_LOOP_START nr_threads, from, to, step, chunk
#define COUNT_PARALLEL_LOOP_START gomp_count(from, to, step)

#define PARAMETERS_PARALLEL_LOOP_RUNTIME_START \
	gomp_body *body, void *data, unsigned int nr_threads, long from, long to, long step
#define ARGUMENTS_PARALLEL_LOOP_RUNTIME_START nr_threads, from, to, step
#define COUNT_PARALLEL_LOOP_RUNTIME_START gomp_count(from, to, step)

#define PARAMETERS_PARALLEL_SECTIONS_START \
	gomp_body *body, void *data, unsigned int nr_threads, unsigned int nr_sections
#define ARGUMENTS_PARALLEL_SECTIONS_START nr_threads, nr_sections
#define COUNT_PARALLEL_SECTIONS_START nr_sections

#define PARAMETERS_TEAMS                                                               \
	gomp_body *body, void *data, unsigned int nr_teams, unsigned int thread_limit, \
		unsigned int flags
#define ARGUMENTS_TEAMS nr_teams, thread_limit, flags

#define PARAMETERS_LOOP long from, long to, long step, long chunk, long *begin, long *end
#define ARGUMENTS_LOOP from, to, step, chunk, begin, end
#define COUNT_LOOP gomp_count(from, to, step)

#define PARAMETERS_LOOP_RUNTIME long from, long to, long step, long *begin, long *end
#define ARGUMENTS_LOOP_RUNTIME from, to, step, begin, end
#define COUNT_LOOP_RUNTIME gomp_count(from, to, step)

#define PARAMETERS_LOOP_REDUCTIONS                                                        \
	long from, long to, long step, long schedule, long chunk, long *begin, long *end, \
		uintptr_t *reductions, void **memory
#define ARGUMENTS_LOOP_REDUCTIONS from, to, step, schedule, chunk, begin, end, reductions, memory
#define COUNT_LOOP_REDUCTIONS gomp_count(from, to, step)

#define PARAMETERS_LOOP_ULL                                                                     \
	bool is_up, gomp_ull from, gomp_ull to, gomp_ull step, gomp_ull chunk, gomp_ull *begin, \
		gomp_ull *end
#define ARGUMENTS_LOOP_ULL is_up, from, to, step, chunk, begin, end
#define COUNT_LOOP_ULL gomp_count_ull(is_up, from, to, step)

#define PARAMETERS_LOOP_ULL_RUNTIME \
	bool is_up, gomp_ull from, gomp_ull to, gomp_ull step, gomp_ull *begin, gomp_ull *end
#define ARGUMENTS_LOOP_ULL_RUNTIME is_up, from, to, step, begin, end
#define COUNT_LOOP_ULL_RUNTIME gomp_count_ull(is_up, from, to, step)

#define PARAMETERS_LOOP_ULL_REDUCTIONS                                                        \
	bool is_up, gomp_ull from, gomp_ull to, gomp_ull step, long schedule, gomp_ull chunk, \
		gomp_ull *begin, gomp_ull *end, uintptr_t *reductions, void **memory
#define ARGUMENTS_LOOP_ULL_REDUCTIONS \
	is_up, from, to, step, schedule, chunk, begin, end, reductions, memory
#define COUNT_LOOP_ULL_REDUCTIONS gomp_count_ull(is_up, from, to, step)

#define PARAMETERS_DOACROSS unsigned int nr_counts, long *counts, long chunk, long *begin, long *end
#define ARGUMENTS_DOACROSS nr_counts, counts, chunk, begin, end
#define COUNT_DOACROSS gomp_count_nested(nr_counts, counts)

#define PARAMETERS_DOACROSS_RUNTIME unsigned int nr_counts, long *counts, long *begin, long *end
#define ARGUMENTS_DOACROSS_RUNTIME nr_counts, counts, begin, end
#define COUNT_DOACROSS_RUNTIME gomp_count_nested(nr_counts, counts)

#define PARAMETERS_DOACROSS_REDUCTIONS                                                           \
	unsigned int nr_counts, long *counts, long schedule, long chunk, long *begin, long *end, \
		uintptr_t *reductions, void **memory
#define ARGUMENTS_DOACROSS_REDUCTIONS \
	nr_counts, counts, schedule, chunk, begin, end, reductions, memory
#define COUNT_DOACROSS_REDUCTIONS gomp_count_nested(nr_counts, counts)

#define PARAMETERS_DOACROSS_ULL \
	unsigned int nr_counts, gomp_ull *counts, gomp_ull chunk, gomp_ull *begin, gomp_ull *end
#define ARGUMENTS_DOACROSS_ULL nr_counts, counts, chunk, begin, end
#define COUNT_DOACROSS_ULL gomp_count_nested_ull(nr_counts, counts)

#define PARAMETERS_DOACROSS_ULL_RUNTIME \
	unsigned int nr_counts, gomp_ull *counts, gomp_ull *begin, gomp_ull *end
#define ARGUMENTS_DOACROSS_ULL_RUNTIME nr_counts, counts, begin, end
#define COUNT_DOACROSS_ULL_RUNTIME gomp_count_nested_ull(nr_counts, counts)

#define PARAMETERS_DOACROSS_ULL_REDUCTIONS                                                        \
	unsigned int nr_counts, gomp_ull *counts, long schedule, gomp_ull chunk, gomp_ull *begin, \
		gomp_ull *end, uintptr_t *reductions, void **memory
#define ARGUMENTS_DOACROSS_ULL_REDUCTIONS \
	nr_counts, counts, schedule, chunk, begin, end, reductions, memory
#define COUNT_DOACROSS_ULL_REDUCTIONS gomp_count_nested_ull(nr_counts, counts)

#define PARAMETERS_NEXT long *begin, long *end
#define ARGUMENTS_NEXT begin, end
#define PARAMETERS_NEXT_ULL gomp_ull *begin, gomp_ull *end
#define ARGUMENTS_NEXT_ULL begin, end

#define PARAMETERS_SECTIONS unsigned int nr_sections
#define ARGUMENTS_SECTIONS nr_sections
#define PARAMETERS_SECTIONS_REDUCTIONS \
	unsigned int nr_sections, uintptr_t *reductions, void **memory
#define ARGUMENTS_SECTIONS_REDUCTIONS nr_sections, reductions, memory

#define PARAMETERS_COPY void *data
#define PARAMETERS_UNREGISTER bool is_cancelled
#define PARAMETERS_CRITICAL void **lock
#define PARAMETERS_LOCK void *lock
#define PARAMETERS_DEPEND void **depend

#define PARAMETERS_DOACROSS_WAIT long first, ...
#define PARAMETERS_DOACROSS_ULL_WAIT gomp_ull first, ...

#define PARAMETERS_TASK                                                                \
	gomp_body *body, void *data, gomp_copy *copy, long data_bytes, long alignment, \
		bool may_defer, unsigned int flags, void **depend, int priority, void *detach
#define PARAMETERS_TASKLOOP                                                                   \
	gomp_body *body, void *data, gomp_copy *copy, long data_bytes, long alignment,        \
		unsigned int flags, unsigned long nr_tasks, int priority, long from, long to, \
		long step
#define PARAMETERS_TASKLOOP_ULL                                                          \
	gomp_body *body, void *data, gomp_copy *copy, long data_bytes, long alignment,   \
		unsigned int flags, unsigned long nr_tasks, int priority, gomp_ull from, \
		gomp_ull to, gomp_ull step

/* In the flags of a taskloop. */
#define GOMP_TASKLOOP_IS_UP (1u << 8)
#define GOMP_TASKLOOP_NO_GROUP (1u << 11)
#define GOMP_TASKLOOP_REDUCTION (1u << 12)

#define GOMP_FUNCTION(type, name, parameters) \
	__attribute__((visibility("default"))) type name(PARAMETERS_##parameters);
#include "gomp_functions.def"

/* How many iterations a loop has. The compiler makes its condition "<" or ">". */
static inline int64_t gomp_count(long from, long to, long step)
{
	if (step > 0)
		return from < to ? (to - from + step - 1) / step : 0;
	return step < 0 && from > to ? (to - from + step + 1) / step : 0;
}

/* A step down is negative, modulo 2^64. */
static inline int64_t gomp_count_ull(bool is_up, gomp_ull from, gomp_ull to, gomp_ull step)
{
	if (is_up)
		return step && from < to ? (int64_t)((to - from + step - 1) / step) : 0;
	return step && from > to ? (int64_t)((from - to - step - 1) / -step) : 0;
}

static inline int64_t gomp_count_nested(unsigned int nr_counts, const long *counts)
{
	int64_t count = 1;

	for (unsigned int i = 0; i < nr_counts; i++)
		count *= counts[i];
	return count;
}

static inline int64_t gomp_count_nested_ull(unsigned int nr_counts, const gomp_ull *counts)
{
	int64_t count = 1;

	for (unsigned int i = 0; i < nr_counts; i++)
		count *= (int64_t)counts[i];
	return count;
}

#endif /* LIBANNOT_ATTACH_GOMP_API_H */
