// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: sample_cost STATE STEPS PLACES
 *
 * The same work however it is measured, in a guest of one CPU whose time is the number of instructions it executes: STEPS loads
 * in a circle of lines, each of which misses a first-level cache of 32 KiB, at the end of a stack of 16 frames. With
 * PLACES 2, frames are by turns elsewhere, for as long as a sample is due.
 *
 * Prints a line of JSON: STATE, STEPS and PLACES as they were given, and of each round of so many steps its instructions
 * and the events that ftrace recorded meanwhile. Nothing else runs: not even who reads the events.
 */
#include <alloca.h>

#include "ring.h"

#define TICKS_PER_INSTRUCTION 4 /* of QEMU's -icount shift=2, whose TSC counts nanoseconds */
#define NR_ROUNDS 5
#define LINE_BYTES 64
#define NR_LINES 4096
/* With walk(), descend_elsewhere(), run_round(), main() and those of the C library before it, 16 frames. */
#define DEPTH 8
/* Less than a frame: none of descend()'s is where one was at the other place. */
#define PLACE_BYTES 16
/* Between two samples. */
#define STEPS_AT_A_PLACE 1009

static union line {
	union line *next;
	char bytes[LINE_BYTES];
} lines[NR_LINES] __attribute__((aligned(LINE_BYTES)));

static union line *position = lines;
static volatile int kept;

/* One circle through all of them, as 5 - 1 is a multiple of 4, and 1 is odd. */
static void link_lines(void)
{
	for (unsigned int i = 0; i < NR_LINES; i++)
		lines[i].next = &lines[(5 * i + 1) % NR_LINES];
}

static __attribute__((noinline)) void walk(unsigned int nr_steps)
{
	union line *at = position;

	while (nr_steps--)
		at = at->next;
	position = at;
}

/* What is done after the call keeps it from becoming a loop. */
static __attribute__((noinline)) void descend(int depth, unsigned int nr_steps)
{
	volatile unsigned char room[4 * PLACE_BYTES];

	room[0] = 1;
	if (depth)
		descend(depth - 1, nr_steps);
	else
		walk(nr_steps);
	kept = depth + room[0];
}

static __attribute__((noinline)) void descend_elsewhere(unsigned int place, unsigned int nr_steps)
{
	volatile unsigned char *room = alloca(PLACE_BYTES * (size_t)(place + 1));

	room[0] = 1;
	descend(DEPTH, nr_steps);
	kept = room[0];
}

static __attribute__((noinline)) void run_round(unsigned int nr_steps, unsigned int nr_places)
{
	unsigned int place = 0;

	while (nr_steps) {
		unsigned int nr = nr_steps < STEPS_AT_A_PLACE ? nr_steps : STEPS_AT_A_PLACE;

		descend_elsewhere(place, nr);
		place = (place + 1) % nr_places;
		nr_steps -= nr;
	}
}

static void measure_round(unsigned int nr_steps, unsigned int nr_places)
{
	long nr_events = nr_events_on(0);
	uint64_t ticks = read_ticks();

	run_round(nr_steps, nr_places);
	ticks = read_ticks() - ticks;
	nr_events = nr_events_on(0) - nr_events;
	printf("{\"instructions\": %llu, \"events\": %ld}",
	       (unsigned long long)ticks / TICKS_PER_INSTRUCTION, nr_events);
}

int main(int argc, char **argv)
{
	unsigned int nr_steps = argc == 4 ? (unsigned int)atoi(argv[2]) : 0;
	unsigned int nr_places = argc == 4 ? (unsigned int)atoi(argv[3]) : 0;

	if (!nr_steps || nr_places < 1 || nr_places > 2) {
		fprintf(stderr, "usage: sample_cost STATE STEPS 1|2\n");
		return 2;
	}
	link_lines();
	/* A recorder has something to do at first: what is mapped, and where. */
	sleep(2);
	stay_on(0);
	go_first();
	run_round(nr_steps, nr_places);
	printf("{\"state\": \"%s\", \"steps\": %u, \"places\": %u, \"rounds\": [", argv[1],
	       nr_steps, nr_places);
	for (int i = 0; i < NR_ROUNDS; i++) {
		fputs(i ? ", " : "", stdout);
		measure_round(nr_steps, nr_places);
	}
	puts("]}");
	return 0;
}
