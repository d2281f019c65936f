// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: LD_PRELOAD=heap.so attach_heap
 *
 * What the front of allocations costs: a block that is allocated and freed, by the program's functions and by the C
 * library's own. Of small blocks, a sample is told, by their addresses: so there are many.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "rounds.h"

#define NR_TIMES 20000
#define BYTES 2000
#define SMALL_BYTES 200
#define NR_SMALL 1024

/* The C library's own. */
static struct {
	__typeof__(&malloc) malloc;
	__typeof__(&free) free;
} bare;

static void *small_bare[NR_SMALL], *small_attached[NR_SMALL];

static void block_bare(long nr_times)
{
	for (long i = 0; i < nr_times; i++)
		bare.free(bare.malloc(BYTES));
}

static void block_attached(long nr_times)
{
	for (long i = 0; i < nr_times; i++)
		free(malloc(BYTES));
}

static void small_block_bare(long nr_times)
{
	for (long i = 0; i < nr_times; i++) {
		bare.free(small_bare[i % NR_SMALL]);
		small_bare[i % NR_SMALL] = bare.malloc(SMALL_BYTES);
	}
}

static void small_block_attached(long nr_times)
{
	for (long i = 0; i < nr_times; i++) {
		free(small_attached[i % NR_SMALL]);
		small_attached[i % NR_SMALL] = malloc(SMALL_BYTES);
	}
}

static const struct way ways[] = {
	{ "block_bare", block_bare, NR_TIMES, 1 },
	{ "block_attached", block_attached, NR_TIMES, 1 },
	{ "small_block_bare", small_block_bare, NR_TIMES, 1 },
	{ "small_block_attached", small_block_attached, NR_TIMES, 1 },
};

int main(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);

	if (!libc)
		return 1;
	*(void **)&bare.malloc = dlsym(libc, "malloc");
	*(void **)&bare.free = dlsym(libc, "free");
	return measure_ways(ways, sizeof(ways) / sizeof(ways[0]), 1) ? 1 : 0;
}
