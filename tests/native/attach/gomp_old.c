// SPDX-License-Identifier: GPL-2.0
/* Calls libgomp as the code of gcc before 4.9 did: the first thread runs the body of a region itself. */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

#include "omp_truth.h"

void GOMP_parallel_start(void (*body)(void *data), void *data, unsigned int nr_threads);
void GOMP_parallel_loop_dynamic_start(void (*body)(void *data), void *data, unsigned int nr_threads,
				      long from, long to, long step, long chunk);
void GOMP_parallel_end(void);
bool GOMP_loop_dynamic_next(long *begin, long *end);
void GOMP_loop_end_nowait(void);

static long sum;

static void in_region(int line)
{
	did("parallel", line, 1);
	did("wait:team", 0, 1);
	if (omp_get_thread_num() == 0)
		did("team", 0, 1);
}

static const int line_of_inner = __LINE__ + 2;
static void inner(void *data)
{
	in_region(line_of_inner);
	__atomic_add_fetch((long *)data, 1, __ATOMIC_RELAXED);
}

static const int line_of_outer = __LINE__ + 2;
static void outer(void *data)
{
	in_region(line_of_outer);
	GOMP_parallel_start(inner, data, 2);
	inner(data);
	GOMP_parallel_end();
	__atomic_add_fetch((long *)data, 100, __ATOMIC_RELAXED);
}

static const int line_of_loop = __LINE__ + 2;
static void loop(void *data)
{
	long begin, end;

	in_region(line_of_loop);
	did("for", line_of_loop, 1);
	while (GOMP_loop_dynamic_next(&begin, &end)) {
		did("chunks", line_of_loop, 1);
		__atomic_add_fetch((long *)data, end - begin, __ATOMIC_RELAXED);
	}
	GOMP_loop_end_nowait();
}

int main(void)
{
	omp_set_max_active_levels(2);
	for (int i = 0; i < 3; i++) {
		GOMP_parallel_start(outer, &sum, 3);
		outer(&sum);
		GOMP_parallel_end();
		GOMP_parallel_loop_dynamic_start(loop, &sum, 3, 0, 50, 1, 4);
		loop(&sum);
		GOMP_parallel_end();
	}
	printf("sum %ld\n", sum);
	return 3;
}
