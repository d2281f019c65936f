// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that stand in line for one CPU while others are idle: when each has been on every CPU, alone,
 * all bind themselves to the first, and share it. With -q each stays on its own.
 *
 * Work never sleeps, so in the truth a span's wall time less its CPU time is what it waited.
 */
#include <pthread.h>
#include <stdio.h>

#include "load.h"
#include "truth.h"

#define CROWD_UNITS 125 /* of time */
/*
 * Of a thread's own time, on each CPU: enough that no analysis may take the program for one that has
 * the first CPU only.
 */
#define VISIT_SHARE 0.03

static struct options options = {
	.letters = "truqo", .nr_threads = 2, .nr_rounds = 16, .unit_us = 1000, .output = "-"
};
static struct truth *truth;
static int cpus[MAX_CPUS];
static unsigned int nr_cpus;
static pthread_barrier_t barrier;

static void wait_for_all(struct truth_thread *thread)
{
	truth_wait_begin(thread, "barrier");
	pthread_barrier_wait(&barrier);
	truth_end(thread);
}

static uint64_t crowd_ns(void)
{
	return (uint64_t)CROWD_UNITS * options.unit_us * 1000;
}

/* Of all CPUs, in turn, and of its own at last; each of the others is on another one. */
static void visit(struct truth_thread *thread, unsigned int home)
{
	uint64_t visit_ns = VISIT_SHARE * options.nr_rounds * crowd_ns();
	unsigned int i;

	for (i = 1; i <= nr_cpus; i++) {
		wait_for_all(thread);
		pin_to(cpus[(home + i) % nr_cpus]);
		work_for(visit_ns);
	}
}

static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument, round;
	struct truth_thread *thread;
	char name[16];

	snprintf(name, sizeof(name), "pe%u", index);
	thread = truth_thread_begin(truth, index, name);
	pin_to(cpus[index]);
	visit(thread, index);
	wait_for_all(thread);
	for (round = 0; round < options.nr_rounds; round++) {
		truth_begin(thread, "crowd", round);
		if (!round && !options.is_quiet)
			pin_to(cpus[0]);
		work_for(crowd_ns());
		truth_end(thread);
	}
	/* Who is done is in nobody's way. */
	pin_to(cpus[index]);
	wait_for_all(thread);
	truth_thread_end(thread);
	return NULL;
}

int main(int argc, char **argv)
{
	parse_options(argc, argv, &options);
	nr_cpus = allowed_cpus(cpus);
	if (options.nr_threads < 2 || nr_cpus < options.nr_threads) {
		fputs("queue: needs two threads, and a CPU for each\n", stderr);
		return EXIT_CANNOT_RUN_HERE;
	}
	truth = truth_create(options.nr_threads);
	pthread_barrier_init(&barrier, NULL, options.nr_threads);
	run_in_threads(options.nr_threads, run_thread);
	truth_write(truth, options.output);
	return 0;
}
