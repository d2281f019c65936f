// SPDX-License-Identifier: GPL-2.0
/*
 * Two parallel programs that fight for the CPUs: contend-a runs the task smvp, contend-b the task
 * match, each with as many threads as there may be CPUs, and a barrier after each round. They take
 * the CPUs from each other: work is preempted, and barriers last longer than they would. On each CPU
 * is bound a thread of either program, else the scheduler might part the CPUs among the programs, and
 * they would not meet.
 *
 * Work never sleeps, so in the truth a work span's wall time less its CPU time is what it was
 * preempted.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annot/annot.h"
#include "load.h"
#include "truth.h"

#define NR_PROGRAMS 2

static const struct program {
	const char *name;
	const char *task;
	unsigned int nr_trips;
} programs[NR_PROGRAMS] = {
	{ "contend-a", "smvp", 40 },
	{ "contend-b", "match", 30 },
};

static struct options options = { .nr_threads = 4, .nr_rounds = 8, .unit_us = 2000, .output = "-" };
static struct truth *truth;
static pthread_barrier_t *start; /* shared by both */
static pthread_barrier_t barrier; /* of each its own */
static unsigned int own_program;
static int cpus[MAX_CPUS];
static unsigned int nr_cpus;

static void *run_thread(void *argument)
{
	const struct program *program = &programs[own_program];
	unsigned int index = (unsigned int)(uintptr_t)argument;
	struct truth_thread *thread;
	unsigned int round, trip;
	char name[16];

	snprintf(name, sizeof(name), "%s%u", own_program ? "b" : "a", index);
	pin_to(cpus[index % nr_cpus]);
	thread = truth_thread_begin(truth, own_program * options.nr_threads + index, name);
	pthread_barrier_wait(start);
	for (round = 0; round < options.nr_rounds; round++) {
		truth_begin(thread, program->task, round);
		for (trip = 0; trip < program->nr_trips; trip++)
			work_unit();
		truth_end(thread);
		truth_wait_begin(thread, "barrier");
		pthread_barrier_wait(&barrier);
		truth_end(thread);
	}
	truth_thread_end(thread);
	return NULL;
}

static void run_program(void)
{
	annot_thread_name(programs[own_program].name);
	pthread_barrier_init(&barrier, NULL, options.nr_threads);
	run_in_threads(options.nr_threads, run_thread);
}

static void make_start_barrier(void)
{
	pthread_barrierattr_t shared;

	start = mmap(NULL, sizeof(*start), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (start == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	pthread_barrierattr_init(&shared);
	pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(start, &shared, NR_PROGRAMS * options.nr_threads);
}

static pid_t start_program(unsigned int index)
{
	pid_t child = fork();

	if (child < 0)
		die("fork: %s", strerror(errno));
	if (child)
		return child;
	own_program = index;
	run_program();
	exit(0);
}

int main(int argc, char **argv)
{
	pid_t children[NR_PROGRAMS];
	unsigned int i;
	int status;

	parse_options(argc, argv, &options);
	nr_cpus = allowed_cpus(cpus);
	calibrate_unit(options.unit_us);
	truth = truth_create(NR_PROGRAMS * options.nr_threads);
	make_start_barrier();
	for (i = 0; i < NR_PROGRAMS; i++)
		children[i] = start_program(i);
	for (i = 0; i < NR_PROGRAMS; i++) {
		if (waitpid(children[i], &status, 0) < 0 || status)
			die("%s failed", programs[i].name);
	}
	truth_write(truth, options.output);
	return 0;
}
