// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that work and do nothing else: none waits for another, and nothing is annotated. More of them than CPUs take
 * turns.
 *
 * Writes as JSON to -o of each of threads[]: tid, and the time (wall_ns) and CPU time (cpu_ns) that it took. It never
 * sleeps, so the rest is what it waited for a CPU.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "load.h"

#define MAX_THREADS 64

static struct options options = {
	.letters = "truo", .nr_threads = 4, .nr_rounds = 40, .unit_us = 10000, .output = "-"
};
static pthread_barrier_t start;
static struct {
	int tid;
	uint64_t wall_ns;
	uint64_t cpu_ns;
} took[MAX_THREADS];

static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument, round;
	uint64_t wall_at_ns, cpu_at_ns;

	pthread_barrier_wait(&start);
	wall_at_ns = wall_ns();
	cpu_at_ns = thread_cpu_ns();
	for (round = 0; round < options.nr_rounds; round++)
		work_unit();
	took[index].cpu_ns = thread_cpu_ns() - cpu_at_ns;
	took[index].wall_ns = wall_ns() - wall_at_ns;
	took[index].tid = gettid();
	return NULL;
}

static void write_truth(FILE *out)
{
	unsigned int i;

	fputs("{\"threads\": [", out);
	for (i = 0; i < options.nr_threads; i++)
		fprintf(out, "%s{\"tid\": %d, \"wall_ns\": %llu, \"cpu_ns\": %llu}", i ? ", " : "",
			took[i].tid, (unsigned long long)took[i].wall_ns,
			(unsigned long long)took[i].cpu_ns);
	fputs("]}\n", out);
}

int main(int argc, char **argv)
{
	FILE *out = stdout;

	parse_options(argc, argv, &options);
	if (options.nr_threads > MAX_THREADS)
		die("more than %d threads", MAX_THREADS);
	calibrate_unit(options.unit_us);
	pthread_barrier_init(&start, NULL, options.nr_threads);
	run_in_threads(options.nr_threads, run_thread);
	if (strcmp(options.output, "-"))
		out = fopen(options.output, "w");
	if (!out)
		die("%s: cannot be written", options.output);
	write_truth(out);
	fclose(out);
	return 0;
}
