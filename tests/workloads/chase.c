// SPDX-License-Identifier: GPL-2.0
/*
 * Cache misses: the task hot walks, in random order, through 16 KiB, which any first-level cache
 * holds; the task cold does the same number of steps through the working set that was asked for
 * (-w, 64 MiB), in which nearly each step misses what is smaller. With -s there is instead a task for
 * each size that was asked for, of that name ("48KiB"); it now and then stays on a line for some loads.
 * An annotation's value is the number of loads.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "load.h"
#include "truth.h"
#include "walk.h"

#define HOT_BYTES 16384
/* On average: loads on the way, and loads of one line after them. */
#define MEAN_STRETCH 4096
#define MEAN_STAY 125

/* -w: of the task cold; -n: steps of a task */
static struct options options = {
	.letters = "trwsneo",
	.nr_threads = 2,
	.nr_rounds = 3,
	.working_set_kib = 65536,
	.nr_steps = 200000,
	.event = "l1d-load-misses",
	.output = "-",
};
static struct truth *truth;

/* What each thread walks through in each round, and all of them only read. */
struct buffer {
	char name[16]; /* the task's, too */
	size_t nr_lines;
	char *lines;
};

static struct buffer buffers[MAX_SIZES];
static unsigned int nr_buffers;

static void add_buffer(size_t nr_bytes, char *(*map)(const char *name, size_t nr_bytes))
{
	struct buffer *buffer = &buffers[nr_buffers++];

	buffer->nr_lines = nr_bytes / LINE_BYTES;
	buffer->lines = map(buffer->name, nr_bytes);
	walk_link_at_random(buffer->lines, buffer->nr_lines, LINE_BYTES);
}

static void make_buffers(void)
{
	unsigned int i;

	for (i = 0; i < options.nr_sizes; i++) {
		snprintf(buffers[i].name, sizeof(buffers[i].name), "%uKiB", options.sizes_kib[i]);
		add_buffer((size_t)options.sizes_kib[i] * 1024, walk_map_huge);
	}
	if (options.nr_sizes)
		return;
	strcpy(buffers[0].name, "hot");
	add_buffer(HOT_BYTES, walk_map);
	strcpy(buffers[1].name, "cold");
	add_buffer((size_t)options.working_set_kib * 1024, walk_map);
}

/* Threads begin far from each other: what one brings into a shared cache is of no use to others. */
static void start_at(unsigned int index, void **at)
{
	unsigned int i;

	for (i = 0; i < nr_buffers; i++)
		at[i] = buffers[i].lines +
			buffers[i].nr_lines / options.nr_threads * index * LINE_BYTES;
}

/*
 * A circle and a fixed sampling period are in step: samples then hit the same few lines again and again,
 * or never one twice. Stays of random length bring them out of step; they never miss.
 */
static void *walk_out_of_step(void *at, uint64_t nr_loads)
{
	uint64_t state = WALK_SEED;

	while (nr_loads) {
		uint64_t stretch = walk_random(&state) % (2 * MEAN_STRETCH);
		uint64_t stay = walk_random(&state) % (2 * MEAN_STAY + 1);

		stretch = stretch < nr_loads ? stretch : nr_loads;
		at = walk(at, stretch);
		nr_loads -= stretch;
		for (; stay && nr_loads; stay--, nr_loads--)
			(void)*(void *volatile *)at;
	}
	return at;
}

static void *run_thread(void *argument)
{
	unsigned int index = (unsigned int)(uintptr_t)argument, round, i;
	struct truth_thread *thread;
	void *at[MAX_SIZES];
	char name[16];

	snprintf(name, sizeof(name), "chase%u", index);
	start_at(index, at);
	thread = truth_thread_begin(truth, index, name);
	for (round = 0; round < options.nr_rounds; round++) {
		for (i = 0; i < nr_buffers; i++) {
			truth_begin(thread, buffers[i].name, options.nr_steps);
			at[i] = options.nr_sizes ? walk_out_of_step(at[i], options.nr_steps) :
						   walk(at[i], options.nr_steps);
			truth_end(thread);
			/* Off the CPU: what is counted from switch to switch is then of one task. */
			if (options.nr_sizes)
				usleep(1000);
		}
	}
	truth_thread_end(thread);
	return NULL;
}

int main(int argc, char **argv)
{
	parse_options(argc, argv, &options);
	make_buffers();
	truth = truth_create(options.nr_threads);
	truth_count_event(truth, options.event);
	truth_add_details(truth, walk_write_details);
	run_in_threads(options.nr_threads, run_thread);
	truth_write(truth, options.output);
	return 0;
}
