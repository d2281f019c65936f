// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: stack_again
 *
 * Sleeps again and again where all registers are as they were, and the callers are not: who takes a stack for the
 * one before is wrong. In five processes, which have the same addresses. For each sleep, in a line: its process, and
 * the return addresses of who sleeps and of its callers.
 */
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
#define NR_TURNS 80
#define NR_CHILDREN 4
#define STEPS 6 /* of room that a frame has more, and its caller less */
#define STEP_BYTES 64

static volatile int kept;
static unsigned long callers[4];

static unsigned long caller(void *address)
{
	return (uintptr_t)address;
}

/* It keeps its caller's frame pointer, as it uses the register for something else: always the same. */
static APART void rest(void)
{
	const struct timespec time = { 0, 1000000 };

	callers[0] = caller(__builtin_return_address(0));
	__asm__ volatile("xor %%ebp, %%ebp" ::: "rbp", "memory");
	nanosleep(&time, NULL);
	kept = 1;
}

static APART void one(void)
{
	callers[1] = caller(__builtin_return_address(0));
	rest();
	kept = 1;
}

static APART void other(void)
{
	callers[1] = caller(__builtin_return_address(0));
	rest();
	kept = 2;
}

/* Two functions that have room on the stack, together always the same: the first frame's place depends on how much. */
static APART void inner(int steps)
{
	volatile char *room = alloca((size_t)(steps + 1) * STEP_BYTES);

	room[0] = 1;
	callers[1] = caller(__builtin_return_address(0));
	rest();
	kept = room[0];
}

static APART void outer(int steps)
{
	volatile char *room = alloca((size_t)(STEPS - steps + 1) * STEP_BYTES);

	room[0] = 1;
	callers[2] = caller(__builtin_return_address(0));
	inner(steps);
	kept = room[0];
}

static APART void first(void)
{
	callers[2] = caller(__builtin_return_address(0));
	one();
	kept = 3;
}

static APART void second(void)
{
	callers[2] = caller(__builtin_return_address(0));
	one();
	kept = 4;
}

static APART void third(void)
{
	callers[2] = caller(__builtin_return_address(0));
	other();
	kept = 5;
}

static APART void turn(unsigned int random)
{
	callers[3] = caller(__builtin_return_address(0));
	switch (random % 4) {
	case 0:
		first();
		break;
	case 1:
		second();
		break;
	case 2:
		third();
		break;
	default:
		outer(random / 4 % (STEPS + 1));
	}
	kept = 6;
}

static APART void take_turns(void)
{
	static char said[NR_TURNS][128];
	unsigned int random = getpid();

	for (int i = 0; i < NR_TURNS; i++) {
		random = random * 1664525u + 1013904223u;
		turn(random >> 16);
		snprintf(said[i], sizeof(said[i]), "%d %lx %lx %lx %lx\n", getpid(), callers[0],
			 callers[1], callers[2], callers[3]);
	}
	for (int i = 0; i < NR_TURNS; i++)
		fputs(said[i], stdout);
	fflush(stdout);
}

int main(void)
{
	int all = 0, status;

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
