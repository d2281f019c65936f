// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: attach_omp THREADS
 *
 * What constructs of OpenMP cost their thread, as in EPCC's benchmarks: prints "NAME MIN MEDIAN" in ns, of rounds
 * that take turns. Nobody annotated it; tests/bench/attach_openmp runs it as it is, and attached.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NR_ROUNDS 60
#define NR_WARM_UP_ROUNDS 3
#define NR_TIMES 400

static int nr_threads;
static long sum;

static void bench_region(void)
{
	for (int i = 0; i < NR_TIMES; i++) {
#pragma omp parallel num_threads(nr_threads)
		__asm__ __volatile__("" : : : "memory");
	}
}

/* Without a chunk for most. */
static void bench_loop(void)
{
#pragma omp parallel num_threads(nr_threads)
	for (int i = 0; i < NR_TIMES; i++) {
#pragma omp for schedule(dynamic, 1000) nowait
		for (int k = 0; k < 1; k++)
			__asm__ __volatile__("" : : : "memory");
	}
}

static void bench_chunk(void)
{
#pragma omp parallel num_threads(nr_threads)
#pragma omp for schedule(dynamic, 1)
	for (int i = 0; i < NR_TIMES; i++)
		__asm__ __volatile__("" : : : "memory");
}

static void bench_barrier(void)
{
#pragma omp parallel num_threads(nr_threads)
	for (int i = 0; i < NR_TIMES; i++) {
#pragma omp barrier
	}
}

static void bench_critical(void)
{
#pragma omp parallel num_threads(nr_threads)
	for (int i = 0; i < NR_TIMES / nr_threads; i++) {
#pragma omp critical(bench)
		sum++;
	}
}

static void bench_task(void)
{
#pragma omp parallel num_threads(nr_threads)
#pragma omp single
	for (int i = 0; i < NR_TIMES; i++) {
#pragma omp task
		__asm__ __volatile__("" : : : "memory");
	}
}

static void bench_taskwait(void)
{
#pragma omp parallel num_threads(nr_threads)
#pragma omp single
	for (int i = 0; i < NR_TIMES; i++) {
#pragma omp taskwait
	}
}

/* Some microseconds of work: less than the 15 that EPCC's schedbench has in an iteration. */
#define DELAY_STEPS 15000

static void delay(void)
{
	for (int i = 0; i < DELAY_STEPS; i++)
		__asm__ __volatile__("" : : : "memory");
}

/* An instance of the loop: NR_TIMES iterations of work. */
#define BENCH_SCHEDULE(name, kind)                                                \
	static void bench_##name(void)                                            \
	{                                                                         \
		_Pragma("omp parallel num_threads(nr_threads)")                   \
		{                                                                 \
			_Pragma(kind) for (int i = 0; i < NR_TIMES; i++) delay(); \
		}                                                                 \
	}

BENCH_SCHEDULE(static_1, "omp for schedule(static, 1)")
BENCH_SCHEDULE(dynamic_1, "omp for schedule(dynamic, 1)")
BENCH_SCHEDULE(guided_1, "omp for schedule(guided, 1)")

static const struct way {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "region", bench_region },
	{ "loop", bench_loop },
	{ "chunk", bench_chunk },
	{ "barrier", bench_barrier },
	{ "task", bench_task },
	{ "taskwait", bench_taskwait },
	{ "critical", bench_critical },
	{ "work_static,1", bench_static_1 },
	{ "work_dynamic,1", bench_dynamic_1 },
	{ "work_guided,1", bench_guided_1 },
};

#define NR_WAYS (sizeof(ways) / sizeof(ways[0]))

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
	static double ns[NR_WAYS][NR_ROUNDS];

	if (argc != 2)
		return 2;
	nr_threads = atoi(argv[1]);
	for (int round = -NR_WARM_UP_ROUNDS; round < NR_ROUNDS; round++) {
		for (size_t i = 0; i < NR_WAYS; i++) {
			double begin_ns = now_ns();

			ways[i].run();
			if (round >= 0)
				ns[i][round] = (now_ns() - begin_ns) / NR_TIMES;
		}
	}
	for (size_t i = 0; i < NR_WAYS; i++) {
		qsort(ns[i], NR_ROUNDS, sizeof(ns[i][0]), compare);
		printf("%s %.1f %.1f\n", ways[i].name, ns[i][0], ns[i][NR_ROUNDS / 2]);
	}
	return 0;
}
