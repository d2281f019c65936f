// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: touching ROUNDS
 *
 * Maps new memory in each round, touches one page of it after the other, and gives it back; with 0 rounds, it does so once, and
 * works with the same memory from then on. Prints how many page faults it had in new memory, and how much time, in ns, passed from one of
 * these touches to the next; where that was PAUSE_NS or more, something else took it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#define NR_PAGES 8192
#define PAGE_BYTES 4096
#define NR_WARM_ROUNDS 20000
#define PAUSE_NS 20000

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static long nr_faults(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_minflt;
}

static volatile char *map(void)
{
	char *memory = mmap(NULL, (size_t)NR_PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || madvise(memory, (size_t)NR_PAGES * PAGE_BYTES, MADV_NOHUGEPAGE))
		exit(1);
	return memory;
}

/* Returns the time that passed in between. */
static uint64_t touch_new(volatile char *memory)
{
	uint64_t before_ns = 0, sum_ns = 0;

	for (size_t page = 0; page < NR_PAGES; page++) {
		uint64_t ns = now_ns();

		if (page && ns - before_ns < PAUSE_NS)
			sum_ns += ns - before_ns;
		before_ns = ns;
		memory[page * PAGE_BYTES] = 1;
	}
	return sum_ns;
}

static void touch_again(volatile char *memory)
{
	for (size_t page = 0; page < NR_PAGES; page++)
		memory[page * PAGE_BYTES] = 2;
}

int main(int argc, char **argv)
{
	int nr_rounds = argc > 1 ? atoi(argv[1]) : 0;
	long faults = 0;
	uint64_t ns = 0;

	for (int round = 0; round < nr_rounds || !round; round++) {
		volatile char *memory = map();
		long faults_before = nr_faults();

		ns += touch_new(memory);
		faults += nr_faults() - faults_before;
		for (int warm = 0; !nr_rounds && warm < NR_WARM_ROUNDS; warm++)
			touch_again(memory);
		munmap((void *)memory, (size_t)NR_PAGES * PAGE_BYTES);
	}
	printf("%ld %llu\n", faults, (unsigned long long)ns);
	return 0;
}
