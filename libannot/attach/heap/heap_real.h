/* SPDX-License-Identifier: MIT */
/*
 * The allocator behind the wrappers here: the C library's, or one that the program was linked with. Looking it up may
 * itself allocate. Such memory comes from a few static pages, and is never given back.
 */
#ifndef LIBANNOT_ATTACH_HEAP_REAL_H
#define LIBANNOT_ATTACH_HEAP_REAL_H

#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#define HEAP_EACH(X)          \
	X(malloc)             \
	X(calloc)             \
	X(realloc)            \
	X(free)               \
	X(memalign)           \
	X(aligned_alloc)      \
	X(posix_memalign)     \
	X(valloc)             \
	X(pvalloc)            \
	X(malloc_usable_size) \
	X(mmap)               \
	X(munmap)             \
	X(mremap)             \
	X(pthread_create)

#define HEAP_MEMBER(name) __typeof__(&(name)) name;
struct heap_functions {
	HEAP_EACH(HEAP_MEMBER)
};

extern struct heap_functions heap_functions;
extern bool heap_is_found;

/* False: this thread is just looking them up. */
__attribute__((cold)) bool heap_find(void);

static inline bool heap_has_real(void)
{
	return __builtin_expect(__atomic_load_n(&heap_is_found, __ATOMIC_ACQUIRE), 1) ||
	       heap_find();
}

/* For while there is no allocator. NULL if there is no room left. @alignment: a power of two. */
__attribute__((cold)) void *heap_early_allocate(size_t alignment, size_t bytes);

bool heap_is_early(const void *block);

/* How many bytes at most may be read from such a block on. */
size_t heap_early_bytes(const void *block);

#endif /* LIBANNOT_ATTACH_HEAP_REAL_H */
