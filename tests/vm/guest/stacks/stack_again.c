// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: stack_again
 *
 * Sleeps again and again where all registers are as they were, and the callers are not: who takes a stack for the
 * one before is wrong. In five processes, which have the same addresses. For each sleep, in a line: its process, and
 * the return addresses of who sleeps and of its callers.
 */
#include <alloca.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
#define NR_TURNS 80
#define NR_CHILDREN 4
#define STEPS 6 /* of room that a frame has more, and its caller less */
#define STEP_BYTES 64

static volatile int kept;

/* Return addresses, the outermost function's first. */
static unsigned long callers[8];
static int nr_callers;

#define NOTE_CALLER() (callers[nr_callers++] = (uintptr_t)__builtin_return_address(0))

/* It keeps its caller's frame pointer, as it uses the register for something else: always the same. */
static APART void rest(void)
{
	const struct timespec time = { 0, 1000000 };

	NOTE_CALLER();
	__asm__ volatile("xor %%ebp, %%ebp" ::: "rbp", "memory");
	nanosleep(&time, NULL);
	kept = 1;
}

static APART void one(void)
{
	NOTE_CALLER();
	rest();
	kept = 1;
}

static APART void other(void)
{
	NOTE_CALLER();
	rest();
	kept = 2;
}

/*
 * Of two functions that have room on the stack, together always the same: the frame of the first one is where
 * a frame pointer says, and what was there for another frame, nobody has written over.
 */
static APART void inner(int steps)
{
	volatile char *room = alloca((size_t)(steps + 1) * STEP_BYTES);

	room[0] = 1;
	NOTE_CALLER();
	one();
	kept = room[0];
}

static APART void outer(int steps)
{
	volatile char *room = alloca((size_t)(STEPS - steps + 1) * STEP_BYTES);

	room[0] = 1;
	NOTE_CALLER();
	inner(steps);
	kept = room[0];
}

static APART void another_outer(int steps)
{
	volatile char *room = alloca((size_t)(STEPS - steps + 1) * STEP_BYTES);

	room[0] = 1;
	NOTE_CALLER();
	inner(steps);
	kept = room[0] + 1;
}

static APART void first(void)
{
	NOTE_CALLER();
	one();
	kept = 3;
}

static APART void second(void)
{
	NOTE_CALLER();
	one();
	kept = 4;
}

static APART void third(void)
{
	NOTE_CALLER();
	other();
	kept = 5;
}

/* It leaves the frame pointer as it is. */
static APART void rest_as_called(void)
{
	const struct timespec time = { 0, 1000000 };

	NOTE_CALLER();
	nanosleep(&time, NULL);
	kept = 7;
}

static APART void *here(void)
{
	return __builtin_frame_address(0);
}

/*
 * Two functions that call it at the same place of the stack: of the one, nobody needs the frame pointer; the
 * other is found by it alone.
 */
static void *of_fixed, *of_grown;

static APART void fixed(bool sleeps)
{
	volatile char room[1024];

	room[0] = 1;
	NOTE_CALLER();
	of_fixed = here();
	if (sleeps)
		rest_as_called();
	kept = room[0];
}

static APART void grown(bool sleeps, size_t bytes)
{
	volatile char *room = alloca(bytes);

	room[0] = 1;
	NOTE_CALLER();
	of_grown = here();
	if (sleeps)
		rest_as_called();
	kept = room[0];
}

/* How much has to grow. */
static size_t bytes_to_grow;

static APART void call_either(bool is_fixed, bool sleeps)
{
	NOTE_CALLER();
	if (is_fixed)
		fixed(sleeps);
	else
		grown(sleeps, bytes_to_grow);
	kept = 8;
}

static void find_bytes_to_grow(void)
{
	do {
		nr_callers = 0;
		bytes_to_grow += 8;
		call_either(true, false);
		call_either(false, false);
	} while (of_grown > of_fixed);
	if (of_grown != of_fixed)
		exit(2);
}

static APART void turn(unsigned int random)
{
	int steps = (int)(random / 16 % (STEPS + 1));

	nr_callers = 0;
	NOTE_CALLER();
	switch (random % 12) {
	case 8:
	case 9:
	case 10:
	case 11:
		call_either(random % 2, true);
		break;
	case 0:
		first();
		break;
	case 1:
		second();
		break;
	case 2:
		third();
		break;
	case 3:
	case 4:
		another_outer(steps);
		break;
	default:
		outer(steps);
	}
	kept = 6;
}

/* The innermost function's first. */
static void print_callers(char *text, size_t bytes)
{
	int length = snprintf(text, bytes, "%d", getpid());

	for (int i = nr_callers; i-- > 0;)
		length += snprintf(text + length, bytes - (size_t)length, " %lx", callers[i]);
}

static long nr_waits(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

/* On a slow kernel, the time may be up before it sleeps. */
static APART void turn_until_it_sleeps(unsigned int random)
{
	long before = nr_waits();

	while (nr_waits() == before)
		turn(random);
}

static APART void take_turns(void)
{
	static char said[NR_TURNS][128];
	unsigned int random = getpid();

	for (int i = 0; i < NR_TURNS; i++) {
		random = random * 1664525u + 1013904223u;
		turn_until_it_sleeps(random >> 16);
		print_callers(said[i], sizeof(said[i]));
	}
	for (int i = 0; i < NR_TURNS; i++)
		puts(said[i]);
	fflush(stdout);
}

int main(void)
{
	int all = 0, status;

	find_bytes_to_grow();
	/* The recorder has something to do at first: what is mapped, and where. */
	sleep(2);
	for (int i = 0; i < NR_CHILDREN; i++) {
		if (fork())
			continue;
		take_turns();
		return 0;
	}
	take_turns();
	while (wait(&status) > 0)
		all |= status;
	return all;
}
