// SPDX-License-Identifier: GPL-2.0
/* Allocates in all ways that C has, and says what is to be told of that. With "small", only blocks that are not. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "heap_blocks.h"

#define NR_ROUNDS 20

static void free_block(void *block)
{
	ENDS(block);
	free(block);
}

/* errno must be as after the same without anybody who listens. */
static void expect(int is_so, const char *what)
{
	if (!is_so)
		printf("not so: %s\n", what);
}

static void do_malloc(size_t bytes)
{
	char *block = MADE("heap", malloc(bytes), bytes);

	errno = EDOM;
	free_block(block);
	expect(errno == EDOM, "free() keeps errno");
	block = MADE("heap", calloc(bytes, 2), 2 * bytes);
	for (size_t i = 0; i < 2 * bytes; i++)
		expect(!block[i], "calloc() clears");
	free_block(block);
	block = MADE("heap", malloc(bytes), bytes);
	memset(block, 'x', bytes);
	ENDS(block);
	block = MADE("heap", realloc(block, 100 * bytes), 100 * bytes);
	expect(block[bytes - 1] == 'x', "realloc() copies");
	ENDS(block);
	block = MADE("heap", reallocarray(block, bytes, 200), 200 * bytes);
	free_block(block);
}

static void do_aligned(size_t bytes)
{
	void *block = NULL;

	free_block(MADE("heap", memalign(64, bytes), bytes));
	free_block(MADE("heap", aligned_alloc(4096, 4096 * bytes), 4096 * bytes));
	free_block(MADE("heap", valloc(bytes), bytes));
	expect(!posix_memalign(&block, 256, bytes), "posix_memalign()");
	remember("heap", __LINE__ - 1, block, bytes);
	expect((uintptr_t)block % 256 == 0, "posix_memalign() aligns");
	free_block(block);
}

static void do_maps(void)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	void *map = MADE("mmap", mmap(NULL, 65536, PROT_READ, flags, -1, 0), 65536);

	ENDS(map);
	map = MADE("mmap", mremap(map, 65536, 1 << 20, MREMAP_MAYMOVE), 1 << 20);
	ENDS(map);
	munmap(map, 1 << 20);
}

/* The block is there still, under the name of the call that could not change it. */
static void do_failures(void)
{
	volatile size_t too_much = SIZE_MAX / 2;
	void *block = MADE("heap", malloc(5000), 5000);

	errno = 0;
	expect(!malloc(too_much) && errno == ENOMEM, "malloc() of too much");
	expect(!calloc(too_much, 4) && errno == ENOMEM, "calloc() of too much");
	expect(!reallocarray(block, too_much, 4) && errno == ENOMEM, "reallocarray() of too much");
	ENDS(block);
	expect(!realloc(block, too_much), "realloc() of too much");
	remember("heap", __LINE__ - 1, block, malloc_usable_size(block));
	free_block(block);
	free(NULL);
}

static void do_small(void)
{
	for (size_t bytes = 1; bytes < 1000; bytes++)
		free(realloc(calloc(1, bytes), bytes + 1));
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "small")) {
		do_small();
		return 0;
	}
	for (int round = 0; round < NR_ROUNDS; round++) {
		do_malloc(1024);
		do_malloc(7000);
		do_aligned(2048);
		do_maps();
		do_failures();
		do_small();
	}
	say_all();
	return 0;
}
