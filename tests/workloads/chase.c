// SPDX-License-Identifier: GPL-2.0
/*
 * Cache misses: the task hot walks, in random order, through 16 KiB, which any first-level cache
 * holds; the task cold does the same number of steps through the working set that was asked for
 * (-w, 64 MiB), in which nearly each step misses what is smaller. An annotation's value is the
 * number of steps.
 */
#include <pthread.h>
#include <stdlib.h>

#include "load.h"
#include "truth.h"
#include "walk.h"

#define HOT_BYTES 16384

/* -w: of the task cold; -n: steps of a task */
static struct options options = {
	.letters = "trwneo",
	.nr_threads = 2,
	.nr_rounds = 3,
	.working_set_kib = 65536,
	.nr_steps = 200000,
	.event = "l1d-load-misses",
	.output = "-",
};
static struct truth *truth;
static char *hot, *cold; /* which all threads only read */
static size_t nr_cold_lines;

static void *chase(struct truth_thread *thread, const char *task, void *at)
{
	truth_begin(thread, task, options.nr_steps);
	at = walk(at, options.nr_steps);
	truth_end(thread);
	return at;
}

/* Threads begin far from each other: what one brings into a shared cache is of no use to others. */
static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument, round;
	struct truth_thread *thread;
	void *at_hot = hot;
	void *at_cold = cold + nr_cold_lines / options.nr_threads * index * LINE_BYTES;
	char name[16];

	snprintf(name, sizeof(name), "chase%u", index);
	thread = truth_thread_begin(truth, index, name);
	for (round = 0; round < options.nr_rounds; round++) {
		at_hot = chase(thread, "hot", at_hot);
		at_cold = chase(thread, "cold", at_cold);
	}
	truth_thread_end(thread);
	return NULL;
}

static void make_buffers(void)
{
	hot = walk_map("hot", HOT_BYTES);
	walk_link_at_random(hot, HOT_BYTES / LINE_BYTES, LINE_BYTES);
	nr_cold_lines = (size_t)options.working_set_kib * 1024 / LINE_BYTES;
	cold = walk_map("cold", nr_cold_lines * LINE_BYTES);
	walk_link_at_random(cold, nr_cold_lines, LINE_BYTES);
}

int main(int argc, char **argv)
{
	pthread_t *threads;
	uintptr_t i;

	parse_options(argc, argv, &options);
	make_buffers();
	truth = truth_create(options.nr_threads);
	truth_count_event(truth, options.event);
	truth_add_details(truth, walk_write_details);
	threads = calloc(options.nr_threads, sizeof(*threads));
	if (!threads)
		die("no memory");
	for (i = 0; i < options.nr_threads; i++) {
		if (pthread_create(&threads[i], NULL, run_thread, (void *)i))
			die("cannot create thread %u", (unsigned int)i);
	}
	for (i = 0; i < options.nr_threads; i++)
		pthread_join(threads[i], NULL);
	truth_write(truth, options.output);
	free(threads);
	return 0;
}
