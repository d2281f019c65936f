// SPDX-License-Identifier: GPL-2.0
/*
 * Another allocator, as a library that is preloaded. It reuses the block that was freed last if it is as large, and
 * ends the program when it is given a block that it does not have. Its operators of C++ call none of its functions.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROOM_BYTES ((size_t)256 << 20)
#define MAGIC 0x6f7468657221ull

struct header {
	uint64_t magic;
	size_t bytes;
};

static char room[ROOM_BYTES] __attribute__((aligned(4096)));
static size_t used;
static void *freed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct header *header_of(void *block)
{
	struct header *header = (struct header *)block - 1;

	if (header->magic != MAGIC)
		abort();
	return header;
}

static void *take(size_t alignment, size_t bytes)
{
	void *block = NULL;
	size_t start;

	pthread_mutex_lock(&lock);
	if (freed && header_of(freed)->bytes == bytes && (uintptr_t)freed % alignment == 0) {
		block = freed;
		freed = NULL;
	} else {
		start = (used + sizeof(struct header) + alignment - 1) & ~(alignment - 1);
		if (start <= ROOM_BYTES && bytes <= ROOM_BYTES - start) {
			block = room + start;
			((struct header *)block)[-1] = (struct header){ MAGIC, bytes };
			used = start + bytes;
		}
	}
	pthread_mutex_unlock(&lock);
	if (!block)
		errno = ENOMEM;
	return block;
}

static void give(void *block)
{
	if (!block)
		return;
	header_of(block);
	pthread_mutex_lock(&lock);
	freed = block;
	pthread_mutex_unlock(&lock);
}

void *malloc(size_t bytes)
{
	return take(16, bytes);
}

void free(void *block)
{
	give(block);
}

void *calloc(size_t nr, size_t bytes)
{
	size_t all;
	void *block = __builtin_mul_overflow(nr, bytes, &all) ? NULL : take(16, all);

	return block ? memset(block, 0, all) : NULL;
}

void *realloc(void *block, size_t bytes)
{
	void *moved = take(16, bytes);

	if (block && moved) {
		memcpy(moved, block,
		       bytes < header_of(block)->bytes ? bytes : header_of(block)->bytes);
		give(block);
	}
	return moved;
}

void *memalign(size_t alignment, size_t bytes)
{
	return take(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	return take(alignment, bytes);
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
	*block = take(alignment, bytes);
	return *block ? 0 : ENOMEM;
}

void *valloc(size_t bytes)
{
	return take(4096, bytes);
}

size_t malloc_usable_size(void *block)
{
	return header_of(block)->bytes;
}

/* operator new(unsigned long), new(unsigned long, std::align_val_t), delete(void *, unsigned long) */
void *_Znwm(size_t bytes)
{
	return take(16, bytes);
}

void *_ZnwmSt11align_val_t(size_t bytes, size_t alignment)
{
	return take(alignment, bytes);
}

void _ZdlPvm(void *block, size_t bytes)
{
	(void)bytes;
	give(block);
}
