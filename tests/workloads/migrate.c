// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that move between CPUs at known times, and at no other: each is bound to one CPU from
 * its first instruction on, and moves itself by binding itself to another.
 *
 * First the scene of two threads, mover and dodger: mover goes to the CPU of dodger at the moment
 * when dodger leaves it for a third one (on two CPUs: they change places). Then the walkers, one
 * by one and at different paces, over all CPUs.
 *
 * What a process did before it was first bound is not known, so all this is done by a child that
 * is born bound. The child's main thread, director, starts the others, and moves to do so.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"
#include "truth.h"

#define NR_DIRECTORS 1
#define NR_ACTORS 2 /* of the scene */
#define TRIPS_PER_ROUND 5

/* -t: walkers */
static struct options options = {
	.nr_threads = 4, .nr_rounds = 12, .unit_us = 4000, .output = "-"
};
static struct truth *truth;
static int cpus[MAX_CPUS];
static unsigned int nr_cpus;
static pthread_barrier_t curtain;

static const struct actor {
	const char *name;
	unsigned int from; /* places in cpus[], of three; the last of two */
	unsigned int to;
} actors[NR_ACTORS] = {
	{ "mover", 2, 0 },
	{ "dodger", 0, 1 },
};

static int actor_cpu(unsigned int place)
{
	return cpus[place < nr_cpus ? place : nr_cpus - 1];
}

static void encode(struct truth_thread *thread, unsigned int round)
{
	unsigned int trip;

	truth_begin(thread, "encode", round);
	for (trip = 0; trip < TRIPS_PER_ROUND; trip++)
		work_unit();
	truth_end(thread);
}

static void *act(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument;
	struct truth_thread *thread = truth_thread_begin(truth, NR_DIRECTORS + index,
							 actors[index].name);

	encode(thread, 0);
	truth_wait_begin(thread, "barrier");
	pthread_barrier_wait(&curtain);
	truth_end(thread);
	truth_move(thread, actor_cpu(actors[index].to));
	encode(thread, 1);
	truth_thread_end(thread);
	return NULL;
}

/* Walker n rests for n rounds after each round in which it moves. */
static void *walk(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument;
	unsigned int place = index % nr_cpus, round;
	struct truth_thread *thread;
	char name[16];

	snprintf(name, sizeof(name), "walker%u", index);
	thread = truth_thread_begin(truth, NR_DIRECTORS + NR_ACTORS + index, name);
	for (round = 0; round < options.nr_rounds; round++) {
		encode(thread, round);
		if (round % (index + 1))
			continue;
		place = (place + 1 + (index + round) % (nr_cpus - 1)) % nr_cpus;
		truth_move(thread, cpus[place]);
	}
	truth_thread_end(thread);
	return NULL;
}

/* A new thread inherits the binding of its creator, unlike one whose attributes tell its CPU: that
 * is bound when it already has begun. */
static void start_on(struct truth_thread *director, int cpu, void *(*routine)(void *),
		     unsigned int index, pthread_t *thread)
{
	if (sched_getcpu() != cpu)
		truth_move(director, cpu);
	if (pthread_create(thread, NULL, routine, (void *)(uintptr_t)index))
		die("cannot create thread %u", index);
}

static void run_scene(struct truth_thread *director)
{
	pthread_t threads[NR_ACTORS];
	unsigned int i;

	pthread_barrier_init(&curtain, NULL, NR_ACTORS);
	for (i = 0; i < NR_ACTORS; i++)
		start_on(director, actor_cpu(actors[i].from), act, i, &threads[i]);
	for (i = 0; i < NR_ACTORS; i++)
		pthread_join(threads[i], NULL);
}

static void run_walkers(struct truth_thread *director)
{
	pthread_t *threads = calloc(options.nr_threads, sizeof(*threads));
	unsigned int i;

	if (!threads)
		die("no memory");
	for (i = 0; i < options.nr_threads; i++)
		start_on(director, cpus[i % nr_cpus], walk, i, &threads[i]);
	for (i = 0; i < options.nr_threads; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

static void direct(void)
{
	struct truth_thread *director = truth_thread_begin(truth, 0, "director");

	run_scene(director);
	run_walkers(director);
	truth_thread_end(director);
}

int main(int argc, char **argv)
{
	pid_t child;
	int status;

	parse_options(argc, argv, &options);
	nr_cpus = allowed_cpus(cpus);
	if (nr_cpus < 2) {
		fputs("migrate: needs two CPUs\n", stderr);
		return EXIT_CANNOT_RUN_HERE;
	}
	calibrate_unit(options.unit_us);
	truth = truth_create(NR_DIRECTORS + NR_ACTORS + options.nr_threads);
	pin_to(cpus[0]);
	child = fork();
	if (child < 0)
		die("fork: %s", strerror(errno));
	if (!child) {
		direct();
		return 0;
	}
	if (waitpid(child, &status, 0) < 0 || status)
		die("the child failed");
	truth_write(truth, options.output);
	return 0;
}
