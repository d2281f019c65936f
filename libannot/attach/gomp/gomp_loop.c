// SPDX-License-Identifier: MIT
/* Loops, sections and singles. Regions that are such as a whole are in gomp_parallel.c. */
#include "gomp_runtime.h"
#include "gomp_share.h"

/* A loop whose chunks are computed in the program's code asks for none: it has no room for the first. */
#define SHARE_LOOP GOMP_SHARE_CHUNKS
#define SHARE_LOOP_RUNTIME GOMP_SHARE_CHUNKS
#define SHARE_LOOP_REDUCTIONS (begin ? GOMP_SHARE_CHUNKS : GOMP_SHARE_WHOLE)
#define SHARE_LOOP_ULL GOMP_SHARE_CHUNKS
#define SHARE_LOOP_ULL_RUNTIME GOMP_SHARE_CHUNKS
#define SHARE_LOOP_ULL_REDUCTIONS (begin ? GOMP_SHARE_CHUNKS : GOMP_SHARE_WHOLE)
#define SHARE_DOACROSS GOMP_SHARE_CHUNKS
#define SHARE_DOACROSS_RUNTIME GOMP_SHARE_CHUNKS
#define SHARE_DOACROSS_REDUCTIONS (begin ? GOMP_SHARE_CHUNKS : GOMP_SHARE_WHOLE)
#define SHARE_DOACROSS_ULL GOMP_SHARE_CHUNKS
#define SHARE_DOACROSS_ULL_RUNTIME GOMP_SHARE_CHUNKS
#define SHARE_DOACROSS_ULL_REDUCTIONS (begin ? GOMP_SHARE_CHUNKS : GOMP_SHARE_WHOLE)

#define GOMP_FUNCTION(type, name, parameters)
#define GOMP_LOOP(name, parameters)                                                            \
	bool name(PARAMETERS_##parameters)                                                     \
	{                                                                                      \
		const void *caller = __builtin_return_address(0);                              \
		const struct gomp_runtime *runtime = gomp_runtime_of(caller);                  \
		bool has_chunk;                                                                \
                                                                                               \
		gomp_share_end();                                                              \
		if (!gomp_runtime_is_told(runtime))                                            \
			return runtime->name(ARGUMENTS_##parameters);                          \
		gomp_share_begin(SHARE_##parameters, place_of_call("for", PLACE_LINE, caller), \
				 COUNT_##parameters);                                          \
		has_chunk = runtime->name(ARGUMENTS_##parameters);                             \
		gomp_thread.nr_chunks += has_chunk;                                            \
		return has_chunk;                                                              \
	}
#define GOMP_NEXT(name, parameters)                                                                \
	bool name(PARAMETERS_##parameters)                                                         \
	{                                                                                          \
		const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0)); \
		uint64_t begin_ns;                                                                 \
		bool has_chunk;                                                                    \
                                                                                                   \
		if (gomp_thread.share != GOMP_SHARE_CHUNKS)                                        \
			return runtime->name(ARGUMENTS_##parameters);                              \
		begin_ns = gomp_chunk_begin();                                                     \
		has_chunk = runtime->name(ARGUMENTS_##parameters);                                 \
		gomp_chunk_end(begin_ns, has_chunk);                                               \
		return has_chunk;                                                                  \
	}
#define GOMP_END_NOWAIT(name)                                         \
	void name(void)                                               \
	{                                                             \
		gomp_share_end();                                     \
		gomp_runtime_of(__builtin_return_address(0))->name(); \
	}
#include "gomp_functions.def"

static void sections_begin(unsigned int nr_sections, const void *return_address)
{
	gomp_share_begin(GOMP_SHARE_WHOLE, place_of_call("sections", PLACE_LINE, return_address),
			 nr_sections);
}

unsigned int GOMP_sections_start(unsigned int nr_sections)
{
	const void *caller = __builtin_return_address(0);
	const struct gomp_runtime *runtime = gomp_runtime_of(caller);

	gomp_share_end();
	if (gomp_runtime_is_told(runtime))
		sections_begin(nr_sections, caller);
	return runtime->GOMP_sections_start(nr_sections);
}

unsigned int GOMP_sections2_start(PARAMETERS_SECTIONS_REDUCTIONS)
{
	const void *caller = __builtin_return_address(0);
	const struct gomp_runtime *runtime = gomp_runtime_of(caller);

	gomp_share_end();
	if (gomp_runtime_is_told(runtime))
		sections_begin(nr_sections, caller);
	return runtime->GOMP_sections2_start(ARGUMENTS_SECTIONS_REDUCTIONS);
}

/*
 * The one thread that is to do it begins. No call says that it is done. Mostly, it comes to a barrier then; after
 * a single with nowait, its span lasts until it comes to the next directive of that kind.
 */
static void single_begin(const void *return_address)
{
	gomp_share_begin(GOMP_SHARE_SINGLE, place_of_call("single", PLACE_LINE, return_address), 1);
}

bool GOMP_single_start(void)
{
	const void *caller = __builtin_return_address(0);
	const struct gomp_runtime *runtime = gomp_runtime_of(caller);
	bool is_executor;

	gomp_share_end();
	is_executor = runtime->GOMP_single_start();
	if (is_executor && gomp_runtime_is_told(runtime))
		single_begin(caller);
	return is_executor;
}

/* Whoever is not to do it waits in here for what the one has to copy. */
void *GOMP_single_copy_start(void)
{
	static struct place *barrier;
	const void *caller = __builtin_return_address(0);
	const struct gomp_runtime *runtime = gomp_runtime_of(caller);
	void *copied;

	gomp_share_end();
	if (!gomp_runtime_is_told(runtime))
		return runtime->GOMP_single_copy_start();
	attach_wait_begin(place_of_literal(&barrier, "barrier"));
	copied = runtime->GOMP_single_copy_start();
	attach_wait_end();
	if (!copied)
		single_begin(caller);
	return copied;
}
