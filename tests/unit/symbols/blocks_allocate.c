// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of the C and C++ libraries that allocate, which say what they do: see blocks_tell.h. The programs are linked with --wrap.
 */
#include <stddef.h>
#include <stdio.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t nr, size_t bytes);
void *__real_realloc(void *block, size_t bytes);

static void *say(const char *caller, size_t bytes, void *block)
{
	printf("block 0x%lx %zu 0x%lx\n", (unsigned long)(caller - 1), bytes, (unsigned long)block);
	return block;
}

void *__wrap_malloc(size_t bytes)
{
	return say(__builtin_return_address(0), bytes, __real_malloc(bytes));
}

void *__wrap_calloc(size_t nr, size_t bytes)
{
	return say(__builtin_return_address(0), nr * bytes, __real_calloc(nr, bytes));
}

void *__wrap_realloc(void *block, size_t bytes)
{
	return say(__builtin_return_address(0), bytes, __real_realloc(block, bytes));
}

/* operator new and new[] */
void *_Znwm(size_t bytes)
{
	return say(__builtin_return_address(0), bytes, __real_malloc(bytes));
}

void *_Znam(size_t bytes)
{
	return say(__builtin_return_address(0), bytes, __real_malloc(bytes));
}
