// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: stack_cost DEPTH...
 *
 * What a page fault takes at the end of so many calls, in a guest of one CPU whose time is the number
 * of instructions it executes. While each fault is a sample with its stack, a further frame takes
 * what it costs to walk it. Prints "DEPTH INSTRUCTIONS" each (the median).
 */
#include "ring.h"

#define TICKS_PER_INSTRUCTION 4 /* of QEMU's -icount shift=2, whose TSC counts nanoseconds */
#define NR_FAULTS 301

static uint64_t ticks[NR_FAULTS];

static int compare(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

static __attribute__((noinline)) void touch(volatile char *memory)
{
	for (int i = 0; i < NR_FAULTS; i++) {
		uint64_t before = read_ticks();

		memory[(size_t)i * PAGE_BYTES] = 1;
		ticks[i] = read_ticks() - before;
	}
}

static volatile int kept;

/* What is done after the call keeps it from becoming a loop. */
static __attribute__((noinline)) void descend(int depth, volatile char *memory)
{
	if (depth)
		descend(depth - 1, memory);
	else
		touch(memory);
	kept = depth;
}

static void measure(int depth)
{
	size_t bytes = (size_t)NR_FAULTS * PAGE_BYTES;
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	if (memory == MAP_FAILED || madvise(memory, bytes, MADV_NOHUGEPAGE))
		die("mmap");
	descend(depth, memory);
	munmap(memory, bytes);
	qsort(ticks, NR_FAULTS, sizeof(*ticks), compare);
	printf("%d %llu\n", depth,
	       (unsigned long long)ticks[NR_FAULTS / 2] / TICKS_PER_INSTRUCTION);
}

int main(int argc, char **argv)
{
	/* The recorder has something to do at first: what is mapped, and where. */
	sleep(2);
	for (int i = 1; i < argc; i++)
		measure(atoi(argv[i]));
	return 0;
}
