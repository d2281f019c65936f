// SPDX-License-Identifier: GPL-2.0
/* Built twice, for two copies of libgomp. All that it calls must be of its own copy. */
#include <omp.h>
#include <stdlib.h>

#define NR_THREADS 3

int plugin_run(void (*done)(const char *kind, int line, long number));

int plugin_run(void (*done)(const char *kind, int line, long number))
{
	int seen[NR_THREADS] = { 0 }, nr = 0;

	for (int i = 0; i < 10; i++) {
		const int region = __LINE__ + 1;
#pragma omp parallel num_threads(NR_THREADS)
		{
			if (omp_get_num_threads() != NR_THREADS)
				abort();
			seen[omp_get_thread_num()]++;
#pragma omp barrier
#pragma omp for schedule(dynamic, 1)
			for (int k = 0; k < 10; k++) {
#pragma omp atomic
				nr++;
			}
#pragma omp atomic
			nr++;
		}
		done("parallel", region, NR_THREADS);
		done("wait:team", 0, NR_THREADS);
		done("team", 0, 1);
		done("wait:barrier", 0, 2 * NR_THREADS);
		done("for", region + 6, NR_THREADS);
		done("chunks", region + 6, 10);
	}
	for (int i = 0; i < NR_THREADS; i++)
		if (seen[i] != 10)
			abort();
	return nr;
}
