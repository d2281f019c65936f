// SPDX-License-Identifier: GPL-2.0
/*
 * A balanced run: threads that are bound to a CPU each do the same work between barriers. There is
 * nothing to be found in it.
 */
#include <pthread.h>
#include <stdio.h>

#include "load.h"
#include "truth.h"

#define TRIPS_PER_ROUND 100

static struct options options = { .nr_threads = 4, .nr_rounds = 8, .unit_us = 1000, .output = "-" };
static struct truth *truth;
static pthread_barrier_t barrier;
static int cpus[MAX_CPUS];

static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument, round, trip;
	struct truth_thread *thread;
	char name[16];

	snprintf(name, sizeof(name), "pe%u", index);
	pin_to(cpus[index]);
	thread = truth_thread_begin(truth, index, name);
	/* Nobody begins before all are there. */
	pthread_barrier_wait(&barrier);
	for (round = 0; round < options.nr_rounds; round++) {
		truth_begin(thread, "sweep", round);
		for (trip = 0; trip < TRIPS_PER_ROUND; trip++)
			work_unit();
		truth_end(thread);
		truth_wait_begin(thread, "barrier");
		pthread_barrier_wait(&barrier);
		truth_end(thread);
	}
	truth_thread_end(thread);
	return NULL;
}

int main(int argc, char **argv)
{
	parse_options(argc, argv, &options);
	if (allowed_cpus(cpus) < options.nr_threads) {
		fputs("quiet: needs a CPU for each thread\n", stderr);
		return EXIT_CANNOT_RUN_HERE;
	}
	calibrate_unit(options.unit_us);
	truth = truth_create(options.nr_threads);
	pthread_barrier_init(&barrier, NULL, options.nr_threads);
	run_in_threads(options.nr_threads, run_thread);
	truth_write(truth, options.output);
	return 0;
}
