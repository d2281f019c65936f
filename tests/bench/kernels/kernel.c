// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: KERNEL [-t THREADS] [-n ROUNDS]
 *
 * Runs a kernel and prints one line:
 *	NAME WALL_NS CPU_NS TASKS ANNOTATIONS CHECKSUM
 * the times from when all threads stand ready to when the last has ended; CPU_NS of all threads
 * together, in the kernel too. ANNOTATIONS are those that stand in the source, made or not.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "annot/annot.h"
#include "kernel.h"

#define MAX_THREADS 64

static struct {
	struct kernel_thread thread;
	pthread_t pthread;
} threads[MAX_THREADS];

static unsigned int nr_threads = 2, nr_rounds;
static pthread_barrier_t ready, barrier;

static void die(const char *what, int error)
{
	fprintf(stderr, "%s: %s: %s\n", kernel.name, what, strerror(error));
	exit(1);
}

void *kernel_allocate(uint64_t nr, uint64_t bytes_each)
{
	void *memory = mmap(NULL, nr * bytes_each, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		die("data", errno);
	return memory;
}

uint32_t kernel_random(void)
{
	static uint64_t state = 20;

	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33);
}

void kernel_wait(struct kernel_thread *thread)
{
	annot_wait_begin("barrier");
	pthread_barrier_wait(&barrier);
	annot_end();
	thread->nr_waits++;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void *start_routine(void *thread)
{
	pthread_barrier_wait(&ready);
	kernel.run(thread, nr_rounds);
	return NULL;
}

static void start_threads(void)
{
	unsigned int i;
	int error;

	pthread_barrier_init(&ready, NULL, nr_threads + 1);
	pthread_barrier_init(&barrier, NULL, nr_threads);
	for (i = 0; i < nr_threads; i++) {
		threads[i].thread.index = i;
		threads[i].thread.nr_threads = nr_threads;
		error = pthread_create(&threads[i].pthread, NULL, start_routine,
				       &threads[i].thread);
		if (error)
			die("pthread_create", error);
	}
}

static void print_result(uint64_t wall_ns, uint64_t cpu_ns)
{
	uint64_t nr_tasks = 0, nr_waits = 0;
	unsigned int i;

	for (i = 0; i < nr_threads; i++) {
		nr_tasks += threads[i].thread.nr_tasks;
		nr_waits += threads[i].thread.nr_waits;
	}
	printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", kernel.name,
	       wall_ns, cpu_ns, nr_tasks, 2 * (nr_tasks + nr_waits), kernel.checksum());
}

static unsigned int parse_number(const char *option, const char *text, unsigned long most)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || end == text || *end || number < 1 || number > most) {
		fprintf(stderr, "%s: %s: not a number from 1 to %lu: %s\n", kernel.name, option,
			most, text);
		exit(2);
	}
	return (unsigned int)number;
}

static void parse_options(int argc, char **argv)
{
	int option;

	nr_rounds = kernel.nr_rounds;
	while ((option = getopt(argc, argv, "t:n:")) != -1) {
		if (option == 't')
			nr_threads = parse_number("-t", optarg, MAX_THREADS);
		else if (option == 'n')
			nr_rounds = parse_number("-n", optarg, 1000000);
		else
			exit(2);
	}
	if (optind != argc) {
		fprintf(stderr, "usage: %s [-t THREADS] [-n ROUNDS]\n", kernel.name);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	uint64_t wall_ns, cpu_ns;
	unsigned int i;

	parse_options(argc, argv);
	kernel.prepare();
	start_threads();
	wall_ns = clock_ns(CLOCK_MONOTONIC);
	cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	pthread_barrier_wait(&ready);
	for (i = 0; i < nr_threads; i++)
		pthread_join(threads[i].pthread, NULL);
	wall_ns = clock_ns(CLOCK_MONOTONIC) - wall_ns;
	cpu_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
	print_result(wall_ns, cpu_ns);
	return 0;
}
