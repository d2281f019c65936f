// SPDX-License-Identifier: GPL-2.0
/*
 * A thread that is woken, and does not run: waker wakes sleeper again and again, which does some work
 * and answers. Each time before, waker lets another program go, holder, which has priority and holds
 * the CPU that all are bound to for two to six units of work. With -q there is no holder.
 *
 * How late sleeper runs, it knows from its clock when it does and waker's when it woke it; the truth
 * has that as latencies_ns. By so much each round is longer.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annot/annot.h"
#include "load.h"
#include "truth.h"

#define MOST_ROUNDS 250
#define HANDLE_TRIPS 3
#define SETTLE_UNITS 20
#define HOLDER_PRIORITY 10
#define WAKER_PRIORITY 20

enum {
	WAKER,
	SLEEPER,
	NR_THREADS
};

static struct options options = {
	.letters = "ruqo", .nr_rounds = 60, .unit_us = 1000, .output = "-"
};
static struct truth *truth;

/* Of both programs. */
static struct shared {
	sem_t ready, hold, request, answer;
	uint64_t woken_ns;
	uint64_t latencies_ns[MOST_ROUNDS];
} * shared;

static unsigned int hold_trips(unsigned int round)
{
	return 2 + round * 3 % 5;
}

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore)) {
		if (errno != EINTR)
			die("sem_wait: %s", strerror(errno));
	}
}

static void hold(void)
{
	unsigned int round, trip;

	annot_thread_name("holder");
	run_in_real_time(HOLDER_PRIORITY);
	sem_post(&shared->ready);
	for (round = 0; round < options.nr_rounds; round++) {
		wait_for(&shared->hold);
		for (trip = 0; trip < hold_trips(round); trip++)
			work_unit();
	}
}

static void *sleep_and_handle(void *unused)
{
	struct truth_thread *thread = truth_thread_begin(truth, SLEEPER, "sleeper");
	unsigned int round, trip;

	(void)unused;
	sem_post(&shared->ready);
	for (round = 0; round < options.nr_rounds; round++) {
		truth_wait_begin(thread, "request");
		wait_for(&shared->request);
		shared->latencies_ns[round] = wall_ns() - shared->woken_ns;
		truth_end(thread);
		truth_begin(thread, "handle", round);
		for (trip = 0; trip < HANDLE_TRIPS; trip++)
			work_unit();
		truth_end(thread);
		sem_post(&shared->answer);
	}
	truth_thread_end(thread);
	return NULL;
}

/* It begins when the others are asleep, and gives sleeper the time to be so again. */
static void *wake(void *unused)
{
	struct truth_thread *thread = truth_thread_begin(truth, WAKER, "waker");
	unsigned int round;

	(void)unused;
	run_in_real_time(WAKER_PRIORITY);
	wait_for(&shared->ready);
	if (!options.is_quiet)
		wait_for(&shared->ready);
	usleep(SETTLE_UNITS * options.unit_us);
	for (round = 0; round < options.nr_rounds; round++) {
		usleep(options.unit_us);
		if (!options.is_quiet)
			sem_post(&shared->hold);
		shared->woken_ns = wall_ns();
		sem_post(&shared->request);
		truth_wait_begin(thread, "answer");
		wait_for(&shared->answer);
		truth_end(thread);
	}
	truth_thread_end(thread);
	return NULL;
}

static void share(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	sem_init(&shared->ready, 1, 0);
	sem_init(&shared->hold, 1, 0);
	sem_init(&shared->request, 1, 0);
	sem_init(&shared->answer, 1, 0);
}

static void write_latencies(FILE *out)
{
	unsigned int round;

	fputs("\"latencies_ns\": [", out);
	for (round = 0; round < options.nr_rounds; round++)
		fprintf(out, "%s%" PRIu64, round ? ", " : "", shared->latencies_ns[round]);
	fputc(']', out);
}

static pid_t start_holder(void)
{
	pid_t child = fork();

	if (child < 0)
		die("fork: %s", strerror(errno));
	if (child)
		return child;
	hold();
	exit(0);
}

int main(int argc, char **argv)
{
	static void *(*const routines[NR_THREADS])(void *) = { wake, sleep_and_handle };
	pthread_t threads[NR_THREADS];
	pid_t holder = 0;
	int cpus[MAX_CPUS], status, i;

	parse_options(argc, argv, &options);
	if (options.nr_rounds > MOST_ROUNDS)
		die("more than %d rounds", MOST_ROUNDS);
	calibrate_unit(options.unit_us);
	truth = truth_create(NR_THREADS);
	truth_add_details(truth, write_latencies);
	share();
	allowed_cpus(cpus);
	pin_to(cpus[0]);
	if (!options.is_quiet)
		holder = start_holder();
	for (i = NR_THREADS; i-- > 0;) {
		if (pthread_create(&threads[i], NULL, routines[i], NULL))
			die("cannot create thread %d", i);
	}
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	if (holder && (waitpid(holder, &status, 0) < 0 || status))
		die("the holder failed");
	truth_write(truth, options.output);
	return 0;
}
