// SPDX-License-Identifier: GPL-2.0
/*
 * A barrier in which threads spin: each round, pe0 has three units of work, the others have one, and ask again and again
 * whether all have come. Threads are bound to CPUs in turn: more of them than CPUs share these, and spin while one that has
 * work waits for the CPU. With -q all have two units, and sleep in the barrier.
 *
 * In the truth, the CPU time of the spans `barrier` is what was spun.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "load.h"
#include "truth.h"

static struct options options = {
	.letters = "truqo", .nr_threads = 2, .nr_rounds = 20, .unit_us = 5000, .output = "-"
};
static struct truth *truth;
static int cpus[MAX_CPUS];
static unsigned int nr_cpus;
static pthread_barrier_t start, sleeping;
static atomic_uint nr_come, nr_released;

static void spin_for_all(unsigned int round)
{
	if (atomic_fetch_add(&nr_come, 1) + 1 == (round + 1) * options.nr_threads)
		atomic_store(&nr_released, round + 1);
	while (atomic_load(&nr_released) <= round)
		;
}

static void wait_for_all(struct truth_thread *thread, unsigned int round)
{
	truth_wait_begin(thread, "barrier");
	if (options.is_quiet)
		pthread_barrier_wait(&sleeping);
	else
		spin_for_all(round);
	truth_end(thread);
}

static unsigned int units_of(unsigned int index)
{
	if (options.is_quiet)
		return 2;
	return index ? 1 : 3;
}

static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument, round, unit;
	struct truth_thread *thread;
	char name[16];

	snprintf(name, sizeof(name), "pe%u", index);
	pin_to(cpus[index % nr_cpus]);
	thread = truth_thread_begin(truth, index, name);
	pthread_barrier_wait(&start);
	for (round = 0; round < options.nr_rounds; round++) {
		truth_begin(thread, "solve", round);
		for (unit = 0; unit < units_of(index); unit++)
			work_unit();
		truth_end(thread);
		wait_for_all(thread, round);
	}
	truth_thread_end(thread);
	return NULL;
}

int main(int argc, char **argv)
{
	parse_options(argc, argv, &options);
	nr_cpus = allowed_cpus(cpus);
	calibrate_unit(options.unit_us);
	truth = truth_create(options.nr_threads);
	pthread_barrier_init(&start, NULL, options.nr_threads);
	pthread_barrier_init(&sleeping, NULL, options.nr_threads);
	run_in_threads(options.nr_threads, run_thread);
	truth_write(truth, options.output);
	return 0;
}
