// SPDX-License-Identifier: MIT
/*
 * The operators new and delete of C++, by their names of the Itanium ABI: what they allocate is named after who calls
 * them. Most call malloc() and free(), those of some allocators do not. A new that fails throws through the wrapper.
 *
 * A library that comes by dlopen() finds the wrapper, which may not find what that library has. It then allocates as
 * the C++ library does where there is no handler.
 */
#include <stdlib.h>

#include "../forward.h"
#include "heap_real.h"
#include "heap_tell.h"

/* An operator may be called by another one. */
static void begin_new(const void *caller)
{
	if (!heap_caller_of_new)
		heap_caller_of_new = caller;
}

/* If malloc() was called for it, that has told the block. */
static void *told_of_new(void *block, size_t bytes)
{
	if (heap_caller_of_new)
		heap_told(block, bytes, NULL);
	return block;
}

static void *or_abort(void *block)
{
	if (!block)
		abort();
	return block;
}

static size_t at_least_one(size_t bytes)
{
	return bytes ? bytes : 1;
}

static void *allocate_aligned(size_t alignment, size_t bytes)
{
	return aligned_alloc(alignment, (at_least_one(bytes) + alignment - 1) & ~(alignment - 1));
}

/* @values are what @name is called with; @otherwise allocates where there is none. */
#define NEW(name, values, otherwise, ...)                                  \
	WRAPPER void *name(size_t bytes, ##__VA_ARGS__);                   \
	WRAPPER void *name(size_t bytes, ##__VA_ARGS__)                    \
	{                                                                  \
		__typeof__(&(name)) real = FORWARD_NEXT(name);             \
                                                                           \
		begin_new(HEAP_CALLER);                                    \
		return told_of_new(real ? real values : otherwise, bytes); \
	}

#define DELETE(name, values, ...)                      \
	WRAPPER void name(void *block, ##__VA_ARGS__); \
	WRAPPER void name(void *block, ##__VA_ARGS__)  \
	{                                              \
		__typeof__(&(name)) real;              \
                                                       \
		if (heap_is_early(block))              \
			return;                        \
		real = FORWARD_NEXT(name);             \
		if (!real) {                           \
			free(block);                   \
			return;                        \
		}                                      \
		begin_delete(block);                   \
		real values;                           \
		heap_is_deleting = false;              \
	}

static void begin_delete(void *block)
{
	if (heap_has_real())
		heap_end_block(block);
	heap_is_deleting = true;
}

NEW(_Znwm, (bytes), or_abort(malloc(at_least_one(bytes))))
NEW(_Znam, (bytes), or_abort(malloc(at_least_one(bytes))))
NEW(_ZnwmRKSt9nothrow_t, (bytes, nothrow), malloc(at_least_one(bytes)), const void *nothrow)
NEW(_ZnamRKSt9nothrow_t, (bytes, nothrow), malloc(at_least_one(bytes)), const void *nothrow)
NEW(_ZnwmSt11align_val_t, (bytes, alignment), or_abort(allocate_aligned(alignment, bytes)),
    size_t alignment)
NEW(_ZnamSt11align_val_t, (bytes, alignment), or_abort(allocate_aligned(alignment, bytes)),
    size_t alignment)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (bytes, alignment, nothrow),
    allocate_aligned(alignment, bytes), size_t alignment, const void *nothrow)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (bytes, alignment, nothrow),
    allocate_aligned(alignment, bytes), size_t alignment, const void *nothrow)

DELETE(_ZdlPv, (block))
DELETE(_ZdaPv, (block))
DELETE(_ZdlPvm, (block, bytes), size_t bytes)
DELETE(_ZdaPvm, (block, bytes), size_t bytes)
DELETE(_ZdlPvRKSt9nothrow_t, (block, nothrow), const void *nothrow)
DELETE(_ZdaPvRKSt9nothrow_t, (block, nothrow), const void *nothrow)
DELETE(_ZdlPvSt11align_val_t, (block, alignment), size_t alignment)
DELETE(_ZdaPvSt11align_val_t, (block, alignment), size_t alignment)
DELETE(_ZdlPvmSt11align_val_t, (block, bytes, alignment), size_t bytes, size_t alignment)
DELETE(_ZdaPvmSt11align_val_t, (block, bytes, alignment), size_t bytes, size_t alignment)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (block, alignment, nothrow), size_t alignment,
       const void *nothrow)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (block, alignment, nothrow), size_t alignment,
       const void *nothrow)
