// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: skewed ROUNDS
 *
 * An OpenMP program that nobody annotated. In each round, a loop of 2 threads gives the second one twice the work of the
 * first; then the master works alone. It measures itself with the clock of each thread's CPU time, which stands
 * still while a thread has no CPU, and prints:
 *
 *	rounds ROUNDS
 *	useful THREAD NS		in the region, before the barrier
 *	waited THREAD NS		from there to when the master goes on, elapsed
 *	spun NS				the CPU time of the master in that
 *	serial NS			between regions, elapsed
 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 2
#define SHORT_NS 5000000

static uint64_t useful_ns[THREADS], arrived_ns[THREADS], waited_ns[THREADS], spun_ns;

static uint64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void work(uint64_t length_ns)
{
	uint64_t until_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) + length_ns;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until_ns)
		;
}

static void solve(void)
{
	uint64_t arrived_cpu_ns = 0;

#pragma omp parallel num_threads(THREADS)
	{
		uint64_t from_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		int thread = omp_get_thread_num();

		work((uint64_t)(thread + 1) * SHORT_NS);
		useful_ns[thread] += now_ns(CLOCK_THREAD_CPUTIME_ID) - from_ns;
		arrived_ns[thread] = now_ns(CLOCK_MONOTONIC);
		if (thread == 0)
			arrived_cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	}
	spun_ns += now_ns(CLOCK_THREAD_CPUTIME_ID) - arrived_cpu_ns;
	for (int thread = 0; thread < THREADS; thread++)
		waited_ns[thread] += now_ns(CLOCK_MONOTONIC) - arrived_ns[thread];
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t serial_ns = 0, from_ns;

	for (int round = 0; round < rounds; round++) {
		solve();
		from_ns = now_ns(CLOCK_MONOTONIC);
		work(SHORT_NS);
		serial_ns += now_ns(CLOCK_MONOTONIC) - from_ns;
	}
	printf("rounds %d\n", rounds);
	for (int thread = 0; thread < THREADS; thread++)
		printf("useful %d %llu\n", thread, (unsigned long long)useful_ns[thread]);
	for (int thread = 0; thread < THREADS; thread++)
		printf("waited %d %llu\n", thread, (unsigned long long)waited_ns[thread]);
	printf("spun %llu\n", (unsigned long long)spun_ns);
	printf("serial %llu\n", (unsigned long long)serial_ns);
	return 0;
}
