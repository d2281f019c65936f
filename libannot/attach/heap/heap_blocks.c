// SPDX-License-Identifier: MIT
/* The functions of the C library that allocate, change and free blocks. */
#include <errno.h>
#include <string.h>

#include "heap_real.h"
#include "heap_tell.h"

#define EARLY_ALIGNMENT 16

WRAPPER void *malloc(size_t bytes)
{
	if (!heap_has_real())
		return heap_early_allocate(EARLY_ALIGNMENT, bytes);
	return heap_told(heap_functions.malloc(bytes), bytes, HEAP_CALLER);
}

WRAPPER void *calloc(size_t nr, size_t bytes)
{
	size_t all;

	if (__builtin_mul_overflow(nr, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	if (!heap_has_real())
		return heap_early_allocate(EARLY_ALIGNMENT, all); /* no one has written there */
	return heap_told(heap_functions.calloc(nr, bytes), all, HEAP_CALLER);
}

WRAPPER void free(void *block)
{
	if (heap_is_early(block) || !heap_has_real())
		return;
	heap_end_block(block);
	heap_functions.free(block);
}

static void *move_early(void *block, size_t bytes, const void *caller)
{
	size_t known = heap_early_bytes(block);
	void *moved = heap_has_real() ? heap_functions.malloc(bytes) :
					heap_early_allocate(EARLY_ALIGNMENT, bytes);

	if (moved)
		memmove(moved, block, bytes < known ? bytes : known);
	return heap_told(moved, bytes, caller);
}

/* Where it fails, the block stays, and is named after the call that could not change it. */
static void *change_block(void *block, size_t bytes, const void *caller)
{
	size_t had = 0;
	void *changed;

	if (heap_is_early(block))
		return move_early(block, bytes, caller);
	if (!heap_has_real())
		return heap_early_allocate(EARLY_ALIGNMENT, bytes);
	if (block && attach_is_recording()) {
		had = heap_functions.malloc_usable_size(block);
		heap_end_block(block);
	}
	changed = heap_functions.realloc(block, bytes);
	if (!changed && bytes && had)
		heap_told(block, had, caller);
	return heap_told(changed, bytes, caller);
}

WRAPPER void *realloc(void *block, size_t bytes)
{
	return change_block(block, bytes, HEAP_CALLER);
}

WRAPPER void *reallocarray(void *block, size_t nr, size_t bytes)
{
	size_t all;

	if (__builtin_mul_overflow(nr, bytes, &all)) {
		errno = ENOMEM;
		return NULL;
	}
	return change_block(block, all, HEAP_CALLER);
}

WRAPPER void *memalign(size_t alignment, size_t bytes)
{
	if (!heap_has_real())
		return heap_early_allocate(alignment, bytes);
	return heap_told(heap_functions.memalign(alignment, bytes), bytes, HEAP_CALLER);
}

WRAPPER void *aligned_alloc(size_t alignment, size_t bytes)
{
	if (!heap_has_real())
		return heap_early_allocate(alignment, bytes);
	return heap_told(heap_functions.aligned_alloc(alignment, bytes), bytes, HEAP_CALLER);
}

WRAPPER int posix_memalign(void **block, size_t alignment, size_t bytes)
{
	int error;

	if (!heap_has_real()) {
		*block = heap_early_allocate(alignment, bytes);
		return *block ? 0 : ENOMEM;
	}
	error = heap_functions.posix_memalign(block, alignment, bytes);
	heap_told(error ? NULL : *block, bytes, HEAP_CALLER);
	return error;
}

WRAPPER void *valloc(size_t bytes)
{
	return heap_told(heap_has_real() ? heap_functions.valloc(bytes) : NULL, bytes, HEAP_CALLER);
}

WRAPPER void *pvalloc(size_t bytes)
{
	return heap_told(heap_has_real() ? heap_functions.pvalloc(bytes) : NULL, bytes,
			 HEAP_CALLER);
}
