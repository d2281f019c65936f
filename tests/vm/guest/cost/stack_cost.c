// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: stack_cost DEPTH...
 *
 * What a page fault takes at the end of so many calls, in a guest of one CPU whose time is the number
 * of instructions it executes. While each fault is a sample with its stack, a further frame takes
 * what it costs to walk it. Prints "DEPTH INSTRUCTIONS AGAIN" each (medians): of stacks of which no
 * frame is where one of the stack before was, and of the same stack again and again.
 */
#include <alloca.h>

#include "ring.h"

#define TICKS_PER_INSTRUCTION 4 /* of QEMU's -icount shift=2, whose TSC counts nanoseconds */
#define NR_FAULTS 301
/* Less than a frame: none of descend()'s is where one of the fault before was. */
#define PLACE_BYTES 16

static uint64_t ticks[NR_FAULTS];

static int compare(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return (*first > *second) - (*first < *second);
}

/* The pages from @first to before @end. */
static __attribute__((noinline)) void touch(volatile char *memory, int first, int end)
{
	for (int i = first; i < end; i++) {
		uint64_t before = read_ticks();

		memory[(size_t)i * PAGE_BYTES] = 1;
		ticks[i] = read_ticks() - before;
	}
}

static volatile int kept;

/* What is done after the call keeps it from becoming a loop. */
static __attribute__((noinline)) void descend(int depth, volatile char *memory, int first, int end)
{
	volatile char room[4 * PLACE_BYTES];

	room[0] = 1;
	if (depth)
		descend(depth - 1, memory, first, end);
	else
		touch(memory, first, end);
	kept = depth + room[0];
}

/* Its callees' frames are not where they are for the pages before and behind. */
static __attribute__((noinline)) void descend_elsewhere(int depth, volatile char *memory, int page)
{
	volatile char *room = alloca(PLACE_BYTES * (size_t)(page % 2 + 1));

	room[0] = 1;
	descend(depth, memory, page, page + 1);
	kept = room[0];
}

/* Of what was measured last, in instructions. */
static unsigned long long median(void)
{
	qsort(ticks, NR_FAULTS, sizeof(*ticks), compare);
	return (unsigned long long)ticks[NR_FAULTS / 2] / TICKS_PER_INSTRUCTION;
}

static void measure(int depth)
{
	size_t bytes = (size_t)NR_FAULTS * PAGE_BYTES;
	char *memory = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED || madvise(memory, 2 * bytes, MADV_NOHUGEPAGE))
		die("mmap");
	for (int page = 0; page < NR_FAULTS; page++)
		descend_elsewhere(depth, memory, page);
	printf("%d %llu", depth, median());
	descend(depth, memory + bytes, 0, NR_FAULTS);
	printf(" %llu\n", median());
	munmap(memory, 2 * bytes);
}

int main(int argc, char **argv)
{
	/* The recorder has something to do at first: what is mapped, and where. */
	sleep(2);
	for (int i = 1; i < argc; i++)
		measure(atoi(argv[i]));
	return 0;
}
