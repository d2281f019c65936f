// SPDX-License-Identifier: GPL-2.0
#include "rounds.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NR_ROUNDS 200
#define NR_WARM_UP_ROUNDS 3
#define MAX_THREADS 16

static const struct way *ways;
static size_t nr_ways;
static pthread_barrier_t together;

struct runner {
	pthread_t thread;
	double *ns; /* [way][round] */
};

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double measure(const struct way *way)
{
	double begin_ns, end_ns;

	pthread_barrier_wait(&together);
	begin_ns = now_ns();
	way->run(way->nr_times);
	end_ns = now_ns();
	return (end_ns - begin_ns) / (double)way->nr_times / way->per_call;
}

static void *run_rounds(void *argument)
{
	struct runner *runner = argument;
	int round;
	size_t i;

	for (round = -NR_WARM_UP_ROUNDS; round < NR_ROUNDS; round++) {
		for (i = 0; i < nr_ways; i++) {
			double ns = measure(&ways[i]);

			if (round >= 0)
				runner->ns[i * NR_ROUNDS + (size_t)round] = ns;
		}
	}
	return NULL;
}

/* The CPU with this index among those that we may use; -1: there are not so many. */
static int nth_cpu(unsigned int index)
{
	cpu_set_t set;
	int cpu;

	if (sched_getaffinity(0, sizeof(set), &set))
		return -1;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && !index--)
			return cpu;
	return -1;
}

static int start(struct runner *runner, unsigned int index)
{
	int cpu = nth_cpu(index), error;
	pthread_attr_t attributes;
	cpu_set_t set;

	runner->ns = calloc(nr_ways * NR_ROUNDS, sizeof(*runner->ns));
	if (cpu < 0 || !runner->ns)
		return -1;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	pthread_attr_init(&attributes);
	pthread_attr_setaffinity_np(&attributes, sizeof(set), &set);
	error = pthread_create(&runner->thread, &attributes, run_rounds, runner);
	pthread_attr_destroy(&attributes);
	return error ? -1 : 0;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void print_figures(const struct runner *runners, unsigned int nr_threads)
{
	size_t nr = (size_t)nr_threads * NR_ROUNDS, i;
	double all[MAX_THREADS * NR_ROUNDS];
	unsigned int thread, round;

	for (i = 0; i < nr_ways; i++) {
		for (thread = 0; thread < nr_threads; thread++)
			for (round = 0; round < NR_ROUNDS; round++)
				all[thread * NR_ROUNDS + round] =
					runners[thread].ns[i * NR_ROUNDS + round];
		qsort(all, nr, sizeof(all[0]), compare);
		printf("%s %u %.3f %.3f\n", ways[i].name, nr_threads, all[0], all[nr / 2]);
	}
}

int measure_ways(const struct way *these, size_t nr_of_these, unsigned int nr_threads)
{
	struct runner runners[MAX_THREADS] = { 0 };
	unsigned int i;

	ways = these;
	nr_ways = nr_of_these;
	if (nr_threads > MAX_THREADS || nth_cpu(nr_threads - 1) < 0)
		return -1;
	pthread_barrier_init(&together, NULL, nr_threads);
	for (i = 0; i < nr_threads; i++)
		if (start(&runners[i], i))
			return -1;
	for (i = 0; i < nr_threads; i++)
		pthread_join(runners[i].thread, NULL);
	print_figures(runners, nr_threads);
	for (i = 0; i < nr_threads; i++)
		free(runners[i].ns);
	pthread_barrier_destroy(&together);
	return 0;
}
