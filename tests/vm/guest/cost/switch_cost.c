// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: switch_cost STATE EVENTS [NR_RECORDS]
 *
 * What a switch from one task to another costs, in a guest of one CPU whose time is the number of
 * instructions it executes. Two processes, first in, first out, and of one priority, yield the CPU
 * to each other; a switch lasts from the one's call of sched_yield() to the other's return from it.
 * With NR_RECORDS (0 is a number) both have a ring, and at each switch so many records in it.
 *
 * Prints a line of JSON: STATE and EVENTS as they were given, the instructions (the median: now and
 * then a timer interrupt falls into a switch), and the share of switches that took just as many.
 */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "ring.h"

#define TICKS_PER_INSTRUCTION 4 /* of QEMU's -icount shift=2, whose TSC counts nanoseconds */
#define NR_SWITCHES 2001
#define NR_WARM_UP 100

/* Shared by the two. */
struct switches {
	volatile uint64_t left_at;
	volatile int last;
	volatile unsigned int nr;
	volatile int failed;
	uint64_t ticks[NR_SWITCHES + NR_WARM_UP];
};

static struct switches *switches;

static bool are_enough(void)
{
	return switches->failed || switches->nr == NR_SWITCHES + NR_WARM_UP;
}

/* The other one must have run meanwhile. */
static void take_sample(int me)
{
	uint64_t now = read_ticks();

	if (are_enough())
		return;
	if (switches->last == me)
		switches->failed = 1;
	else
		switches->ticks[switches->nr++] = now - switches->left_at;
}

static void leave(int me)
{
	switches->last = me;
	switches->left_at = read_ticks();
	sched_yield();
	take_sample(me);
}

/* @is_off: nobody records; records go where they would go else. */
static void yield_by_turns(int me, int nr_records, bool is_off)
{
	struct ring ring = { 0 };
	uint32_t name = 0;

	if (nr_records >= 0) {
		map_ring(&ring, 0);
		name = name_of(&ring, "record");
	}
	while (!are_enough()) {
		for (int i = 0; i < nr_records; i++) {
			if (is_off)
				put_record(&ring, 0, ANNOT_OP_COUNTER, name, 0, i);
			else
				put(&ring, ANNOT_OP_COUNTER, name, i);
		}
		leave(me);
	}
}

static int by_size(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void print(const char *state, const char *events, int nr_records)
{
	uint64_t *ticks = switches->ticks + NR_WARM_UP;
	uint64_t median;
	int nr_same = 0;

	qsort(ticks, NR_SWITCHES, sizeof(*ticks), by_size);
	median = ticks[NR_SWITCHES / 2];
	for (int i = 0; i < NR_SWITCHES; i++)
		nr_same += ticks[i] == median;
	printf("{\"state\": \"%s\", \"events\": \"%s\", \"records\": %d, "
	       "\"instructions\": %.2f, \"same\": %.3f}\n",
	       state, events, nr_records, (double)median / TICKS_PER_INSTRUCTION,
	       (double)nr_same / NR_SWITCHES);
}

int main(int argc, char **argv)
{
	int nr_records = argc == 4 ? atoi(argv[3]) : -1;
	pid_t child;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: switch_cost STATE EVENTS [NR_RECORDS]\n");
		return 2;
	}
	switches = mmap(NULL, sizeof(*switches), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	if (switches == MAP_FAILED)
		die("mmap");
	stay_on(0);
	go_first();
	child = fork();
	if (!child)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	yield_by_turns(!child, nr_records, !strncmp(argv[1], "off", 3));
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	if (switches->failed) {
		fprintf(stderr, "switch_cost: a yield was no switch\n");
		return 1;
	}
	print(argv[1], argv[2], nr_records);
	return 0;
}
