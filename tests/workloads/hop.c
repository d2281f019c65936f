// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that moves to and fro between two CPUs, for nothing: where it comes to, resident is at work
 * and has priority, so hopper waits for it while the CPU that it left has nothing to do. Then it does a
 * little and goes back. With -q it stays where it is.
 *
 * What its moves cost, it knows from the clock: see moves[] in truth.h.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "truth.h"

#define HOME_UNITS 30 /* of time */
#define AWAY_UNITS 1
#define RESIDENT_UNITS 200
#define RESIDENT_PRIORITY 10

enum {
	HOPPER,
	RESIDENT,
	NR_THREADS
};

static struct options options = {
	.letters = "ruqo", .nr_rounds = 12, .unit_us = 1000, .output = "-"
};
static struct truth *truth;
static int cpus[MAX_CPUS];
static sem_t go, gone;

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore)) {
		if (errno != EINTR)
			die("sem_wait: %s", strerror(errno));
	}
}

static void work(struct truth_thread *thread, const char *name, unsigned int round,
		 unsigned int nr_units)
{
	truth_begin(thread, name, round);
	work_for((uint64_t)nr_units * options.unit_us * 1000);
	truth_end(thread);
}

static void *reside(void *unused)
{
	struct truth_thread *thread = truth_thread_begin(truth, RESIDENT, "resident");
	unsigned int round;

	(void)unused;
	run_in_real_time(RESIDENT_PRIORITY);
	for (round = 0; round < options.nr_rounds; round++) {
		wait_for(&go);
		sem_post(&gone);
		work(thread, "reside", round, RESIDENT_UNITS);
	}
	truth_thread_end(thread);
	return NULL;
}

static void *hop(void *unused)
{
	struct truth_thread *thread = truth_thread_begin(truth, HOPPER, "hopper");
	unsigned int round;

	(void)unused;
	for (round = 0; round < options.nr_rounds; round++) {
		work(thread, "home", round, HOME_UNITS);
		sem_post(&go);
		wait_for(&gone);
		if (!options.is_quiet)
			truth_move(thread, cpus[1]);
		work(thread, "away", round, AWAY_UNITS);
		if (!options.is_quiet)
			truth_move(thread, cpus[0]);
	}
	truth_thread_end(thread);
	return NULL;
}

/* It begins where its creator is bound. */
static pthread_t start_on(int cpu, void *(*routine)(void *))
{
	pthread_t thread;

	pin_to(cpu);
	if (pthread_create(&thread, NULL, routine, NULL))
		die("cannot create a thread");
	return thread;
}

int main(int argc, char **argv)
{
	pthread_t resident, hopper;
	unsigned int nr_cpus;

	parse_options(argc, argv, &options);
	nr_cpus = allowed_cpus(cpus);
	if (nr_cpus < 3) {
		fputs("hop: needs three CPUs\n", stderr);
		return EXIT_CANNOT_RUN_HERE;
	}
	truth = truth_create(NR_THREADS);
	sem_init(&go, 0, 0);
	sem_init(&gone, 0, 0);
	resident = start_on(cpus[1], reside);
	hopper = start_on(cpus[0], hop);
	pin_to(cpus[nr_cpus - 1]);
	pthread_join(hopper, NULL);
	pthread_join(resident, NULL);
	truth_write(truth, options.output);
	return 0;
}
