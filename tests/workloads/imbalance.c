// SPDX-License-Identifier: GPL-2.0
/*
 * Load imbalance: the task loop48 is a while loop whose trip count comes from data and differs
 * from thread to thread; then all wait in a barrier for the one that has most, pe0. With -w, a
 * task begins with so much fresh memory, which are page faults, and each trip goes through it, which
 * are cache misses.
 *
 * Built twice: with POSIX threads, and with OpenMP as imbalance-omp.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "load.h"
#include "truth.h"
#include "walk.h"

#define PAGE_BYTES 4096

static struct options options = {
	.letters = "truwo", .nr_threads = 4, .nr_rounds = 5, .unit_us = 10000, .output = "-"
};
static struct truth *truth;

/*
 * The data: for each thread and round, a chain through an array of links, ended by 0. Who follows
 * it does not know how long it is.
 */
#define MAX_LINKS 64

static unsigned int (*chains)[MAX_LINKS];

/* 40 links for the first thread, down to 16 for the last, and up to 4 more by turns. */
static unsigned int chain_length(unsigned int thread, unsigned int round)
{
	unsigned int last = options.nr_threads > 1 ? options.nr_threads - 1 : 1;

	return 16 + 24 * (options.nr_threads - 1 - thread) / last + (thread * 2 + round * 3) % 5;
}

static void make_chain(unsigned int *links, unsigned int length)
{
	unsigned int place = 0, i;

	/* 29 and MAX_LINKS have no common factor: no place comes twice */
	for (i = 1; i < length; i++) {
		unsigned int next = i * 29 % MAX_LINKS;

		links[place] = next;
		place = next;
	}
	links[place] = 0;
}

static void make_chains(void)
{
	unsigned int thread, round;

	chains = calloc((size_t)options.nr_threads * options.nr_rounds, sizeof(*chains));
	if (!chains)
		die("no memory");
	for (thread = 0; thread < options.nr_threads; thread++) {
		for (round = 0; round < options.nr_rounds; round++)
			make_chain(chains[thread * options.nr_rounds + round],
				   chain_length(thread, round));
	}
}

/* What -w asks for, or NULL. */
static char *map_memory(void)
{
	size_t nr_bytes = (size_t)options.working_set_kib * 1024;
	char *memory;

	if (!nr_bytes)
		return NULL;
	memory = mmap(NULL, nr_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("no memory for %zu bytes: %s", nr_bytes, strerror(errno));
	/* A kernel without huge pages says EINVAL, and gives small ones. */
	madvise(memory, nr_bytes, MADV_NOHUGEPAGE);
	return memory;
}

/* Pages that have not been written to are all the same one, which no load misses. */
static void write_pages(volatile char *memory)
{
	size_t nr_bytes = (size_t)options.working_set_kib * 1024, i;

	for (i = 0; i < nr_bytes; i += PAGE_BYTES)
		memory[i] = 1;
}

static void read_lines(const volatile char *memory)
{
	size_t nr_bytes = (size_t)options.working_set_kib * 1024, i;

	for (i = 0; i < nr_bytes; i += LINE_BYTES)
		(void)memory[i];
}

static void give_back(char *memory)
{
	if (memory)
		madvise(memory, (size_t)options.working_set_kib * 1024, MADV_DONTNEED);
}

static void loop48(struct truth_thread *thread, unsigned int index, unsigned int round,
		   char *memory)
{
	const unsigned int *links = chains[index * options.nr_rounds + round];
	unsigned int place = 0, nr_trips = 0;

	truth_begin(thread, "loop48", round);
	write_pages(memory);
	do {
		read_lines(memory);
		work_unit();
		nr_trips++;
		place = links[place];
	} while (place);
	give_back(memory);
	truth_mark(thread, "trips", nr_trips);
	truth_end(thread);
}

static void wait_for_all(void);

static void run_thread(unsigned int index)
{
	struct truth_thread *thread;
	char *memory = map_memory();
	unsigned int round;
	char name[16];

	snprintf(name, sizeof(name), "pe%u", index);
	thread = truth_thread_begin(truth, index, name);
	for (round = 0; round < options.nr_rounds; round++) {
		if (!index)
			truth_counter(thread, "round", round);
		loop48(thread, index, round, memory);
		truth_wait_begin(thread, "barrier");
		wait_for_all();
		truth_end(thread);
	}
	truth_thread_end(thread);
}

#ifdef _OPENMP

#include <omp.h>

static void wait_for_all(void)
{
#pragma omp barrier
}

static void run_threads(void)
{
	omp_set_dynamic(0);
#pragma omp parallel num_threads(options.nr_threads)
	{
		if (omp_get_num_threads() != (int)options.nr_threads)
			die("OpenMP gave %d threads of %u", omp_get_num_threads(),
			    options.nr_threads);
		run_thread((unsigned int)omp_get_thread_num());
	}
}

#else

static pthread_barrier_t barrier;

static void wait_for_all(void)
{
	pthread_barrier_wait(&barrier);
}

static void *start_routine(void *index)
{
	run_thread((unsigned int)(uintptr_t)index);
	return NULL;
}

static void run_threads(void)
{
	pthread_barrier_init(&barrier, NULL, options.nr_threads);
	run_in_threads(options.nr_threads, start_routine);
}

#endif

int main(int argc, char **argv)
{
	parse_options(argc, argv, &options);
	make_chains();
	calibrate_unit(options.unit_us);
	truth = truth_create(options.nr_threads);
	run_threads();
	truth_write(truth, options.output);
	free(chains);
	return 0;
}
