// SPDX-License-Identifier: GPL-2.0
/*
 * Two programs that share a CPU and take turns on it, of which one destroys what the other has in
 * the cache. The victim walks through 16 KiB in each of its turns; in the task alone the polluter
 * does nothing in its own turns between, in the task polluted it writes to all of a buffer (-w)
 * that fills the first two levels of cache. Then each line is missing there when the victim comes
 * to it for the first time in a turn: 256 misses a turn that are no fault of the victim. (Of the
 * first level alone, the switch itself leaves little.)
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"
#include "truth.h"
#include "walk.h"

#define VICTIM_BYTES 16384
#define NR_PROGRAMS 2

/* -r: turns of each kind; -n: steps of the victim in the longest */
static struct options options = {
	.letters = "rwneo",
	.nr_rounds = 20,
	.working_set_kib = 1024,
	.nr_steps = 20000,
	.event = "l1d-load-misses",
	.output = "-",
};
static struct truth *truth;
static int turns[NR_PROGRAMS][2]; /* a pipe into each program: its turn has come */

static void wait_for_turn(struct truth_thread *thread, unsigned int own)
{
	char byte;

	truth_wait_begin(thread, "turn");
	if (read(turns[own][0], &byte, 1) != 1)
		die("read: %s", strerror(errno));
	truth_end(thread);
}

static void give_turn(unsigned int other)
{
	if (write(turns[other][1], "", 1) != 1)
		die("write: %s", strerror(errno));
}

/* Of the victim, which are its annotations' value. */
static unsigned int steps_of(unsigned int round)
{
	return options.nr_steps / 4 * (1 + round % 4);
}

static void be_victim(char *lines)
{
	struct truth_thread *thread = truth_thread_begin(truth, 0, "victim");
	unsigned int round;
	void *at = lines;

	for (round = 0; round < 2 * options.nr_rounds; round++) {
		wait_for_turn(thread, 0);
		truth_begin(thread, round < options.nr_rounds ? "alone" : "polluted",
			    steps_of(round));
		at = walk(at, steps_of(round));
		truth_end(thread);
		give_turn(1);
	}
	truth_thread_end(thread);
}

static void write_all(volatile char *buffer)
{
	size_t nr_bytes = (size_t)options.working_set_kib * 1024, i;

	for (i = 0; i < nr_bytes; i += LINE_BYTES)
		buffer[i] = 1;
}

static void be_polluter(char *buffer)
{
	struct truth_thread *thread = truth_thread_begin(truth, 1, "polluter");
	unsigned int round;

	write_all(buffer); /* for fork() has left it to be copied */
	for (round = 0; round < 2 * options.nr_rounds; round++) {
		if (round >= options.nr_rounds) {
			truth_begin(thread, "evict", options.working_set_kib);
			write_all(buffer);
			truth_end(thread);
		}
		give_turn(0);
		wait_for_turn(thread, 1);
	}
	truth_thread_end(thread);
}

int main(int argc, char **argv)
{
	char *lines, *buffer;
	int status, cpus[MAX_CPUS];
	pid_t child;

	parse_options(argc, argv, &options);
	lines = walk_map("victim", VICTIM_BYTES);
	walk_link_at_random(lines, VICTIM_BYTES / LINE_BYTES, LINE_BYTES);
	buffer = walk_map("polluter", (size_t)options.working_set_kib * 1024);
	truth = truth_create(NR_PROGRAMS);
	truth_count_event(truth, options.event);
	truth_add_details(truth, walk_write_details);
	if (pipe(turns[0]) || pipe(turns[1]))
		die("pipe: %s", strerror(errno));
	allowed_cpus(cpus);
	pin_to(cpus[0]);
	child = fork();
	if (child < 0)
		die("fork: %s", strerror(errno));
	if (!child) {
		be_polluter(buffer);
		return 0;
	}
	be_victim(lines);
	if (waitpid(child, &status, 0) < 0 || status)
		die("the polluter failed");
	truth_write(truth, options.output);
	return 0;
}
