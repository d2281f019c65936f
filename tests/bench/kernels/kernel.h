/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small task-parallel programs to measure the price of annotations with: each has tasks of one
 * length, all annotated, and threads that wait for each other. Compiled as they are, and with
 * ANNOT_DISABLE as the program that nobody has annotated. What they compute is the same whoever
 * computes what when, down to the last bit.
 */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

#include <stdint.h>

/*
 * The work of a task is a function of its own: the same instructions, at the same places within cache
 * lines, whatever is compiled around its call. Else chance makes a program some percent slower.
 */
#define KERNEL_WORK __attribute__((noinline, aligned(64)))

/* What a thread has done: a task makes two annotations, and so does a wait. */
struct kernel_thread {
	unsigned int index;
	unsigned int nr_threads;
	uint64_t nr_tasks;
	uint64_t nr_waits;
};

/*
 * @prepare:	makes the data, before the clock starts
 * @run:	in each thread: @nr_rounds times all tasks, a wait after each time
 * @checksum:	of the result
 */
struct kernel {
	const char *name;
	unsigned int nr_rounds; /* by default: some tenths of a second */
	void (*prepare)(void);
	void (*run)(struct kernel_thread *thread, unsigned int nr_rounds);
	uint64_t (*checksum)(void);
};

extern const struct kernel kernel;

/* Counts and annotates a wait for all other threads. */
void kernel_wait(struct kernel_thread *thread);

/* Zeros, in pages that are there already: none is to be found while the clock runs. Never fails. */
void *kernel_allocate(uint64_t nr, uint64_t bytes_each);

/* The next of a sequence that looks random, and is the same everywhere. */
uint32_t kernel_random(void);

static inline uint64_t kernel_mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * 1099511628211u; /* FNV-1a's prime */
}

#endif /* BENCH_KERNEL_H */
