// SPDX-License-Identifier: GPL-2.0
/*
 * A wide run: in the first half one thread works in the task serial, and all others wait for it in
 * a barrier; in the second half all do the task loop48, of which each has another amount.
 */
#include <pthread.h>
#include <stdio.h>

#include "load.h"
#include "truth.h"

/* -r: trips of the serial half, so that it lasts as long as the other on four CPUs */
static struct options options = {
	.nr_threads = 32, .nr_rounds = 270, .unit_us = 4000, .output = "-"
};
static struct truth *truth;
static pthread_barrier_t barrier;

static void work(struct truth_thread *thread, const char *task, unsigned int nr_trips)
{
	truth_begin(thread, task, nr_trips);
	while (nr_trips--)
		work_unit();
	truth_end(thread);
}

static void wait_for_all(struct truth_thread *thread)
{
	truth_wait_begin(thread, "barrier");
	pthread_barrier_wait(&barrier);
	truth_end(thread);
}

static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument;
	struct truth_thread *thread;
	char name[16];

	snprintf(name, sizeof(name), "pe%u", index);
	thread = truth_thread_begin(truth, index, name);
	if (!index)
		work(thread, "serial", options.nr_rounds);
	wait_for_all(thread);
	/* 11 and 32 have no common factor: 32 different amounts, not in the order of the threads */
	work(thread, "loop48", 18 + index * 11 % 32);
	wait_for_all(thread);
	truth_thread_end(thread);
	return NULL;
}

int main(int argc, char **argv)
{
	parse_options(argc, argv, &options);
	calibrate_unit(options.unit_us);
	truth = truth_create(options.nr_threads);
	pthread_barrier_init(&barrier, NULL, options.nr_threads);
	run_in_threads(options.nr_threads, run_thread);
	truth_write(truth, options.output);
	return 0;
}
