// SPDX-License-Identifier: GPL-2.0
/*
 * Conflict misses: the task conflict walks round 16 lines whose addresses are equal modulo 4096,
 * the size of a way of a first-level cache of 64 sets. All compete for one set, and a set of eight
 * or twelve ways holds none of them until its next turn: each step misses, in a working set of one
 * kilobyte. The task padded does the same with one line of padding after each 4096 bytes, and
 * misses nothing. With -p so many bytes of padding the task conflict is its own cure.
 */
#include "load.h"
#include "truth.h"
#include "walk.h"

#define NR_LINES 16
#define WAY_BYTES 4096

/* -n: steps of a task, which are its annotations' value */
static struct options options = {
	.letters = "rnpeo",
	.nr_rounds = 5,
	.nr_steps = 100000,
	.event = "l1d-load-misses",
	.output = "-",
};

static struct event_layout {
	const char *task;
	size_t stride_bytes;
} layouts[] = {
	{ "conflict", WAY_BYTES },
	{ "padded", WAY_BYTES + LINE_BYTES },
};

#define NR_LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

int main(int argc, char **argv)
{
	struct truth_thread *thread;
	void *at[NR_LAYOUTS];
	struct truth *truth;
	unsigned int round;
	size_t i;

	parse_options(argc, argv, &options);
	layouts[0].stride_bytes += options.padding_bytes;
	for (i = 0; i < NR_LAYOUTS; i++) {
		at[i] = walk_map(layouts[i].task, NR_LINES * layouts[i].stride_bytes);
		walk_link_in_order(at[i], NR_LINES, layouts[i].stride_bytes);
	}
	truth = truth_create(1);
	truth_count_event(truth, options.event);
	truth_add_details(truth, walk_write_details);
	thread = truth_thread_begin(truth, 0, "conflict");
	for (round = 0; round < options.nr_rounds; round++) {
		for (i = 0; i < NR_LAYOUTS; i++) {
			truth_begin(thread, layouts[i].task, options.nr_steps);
			at[i] = walk(at[i], options.nr_steps);
			truth_end(thread);
		}
	}
	truth_thread_end(thread);
	truth_write(truth, options.output);
	return 0;
}
