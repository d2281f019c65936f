// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: sleep_cost STATE pipe|futex
 *
 * What falling asleep costs, in a guest of one CPU whose time is the number of instructions it executes: two processes wake
 * each other up by turns, through two pipes, or through two futexes that look like mutexes. Each turn is one sleep. Prints
 * a line of JSON: STATE, what is waited for, and the instructions of a turn (the median).
 */
#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "ring.h"

#define TICKS_PER_INSTRUCTION 4 /* of QEMU's -icount shift=2, whose TSC counts nanoseconds */
#define NR_TURNS 1001
#define NR_WARM_UP 100
#define LOCKED_WITH_WAITERS 2

/* As a pthread_mutex_t of glibc begins, for the module to read. */
struct mutex {
	volatile unsigned int lock;
	unsigned int count;
	unsigned int owner;
	unsigned int nr_users;
	unsigned int kind;
};

static struct mutex *mutexes; /* shared: one for each process to wait for */
static int pipes[2][2];
static bool by_futex;

static void wait_for(int me)
{
	struct mutex *mutex = &mutexes[me];
	char byte;

	if (!by_futex) {
		if (read(pipes[me][0], &byte, 1) != 1)
			die("read");
		return;
	}
	while (mutex->lock == LOCKED_WITH_WAITERS)
		syscall(SYS_futex, &mutex->lock, FUTEX_WAIT, LOCKED_WITH_WAITERS, NULL);
	mutex->lock = LOCKED_WITH_WAITERS;
}

static void wake(int other)
{
	if (!by_futex) {
		if (write(pipes[other][1], "", 1) != 1)
			die("write");
		return;
	}
	mutexes[other].lock = 0;
	syscall(SYS_futex, &mutexes[other].lock, FUTEX_WAKE, 1);
}

static int by_size(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* A turn is there and back: two sleeps. */
static uint64_t median_turn(void)
{
	static uint64_t ticks[NR_WARM_UP + NR_TURNS];

	for (int i = 0; i < NR_WARM_UP + NR_TURNS; i++) {
		uint64_t from = read_ticks();

		wake(1);
		wait_for(0);
		ticks[i] = read_ticks() - from;
	}
	qsort(ticks + NR_WARM_UP, NR_TURNS, sizeof(*ticks), by_size);
	return ticks[NR_WARM_UP + NR_TURNS / 2] / 2;
}

int main(int argc, char **argv)
{
	pid_t child;

	if (argc != 3) {
		fprintf(stderr, "usage: sleep_cost STATE pipe|futex\n");
		return 2;
	}
	by_futex = !strcmp(argv[2], "futex");
	mutexes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mutexes == MAP_FAILED || pipe(pipes[0]) || pipe(pipes[1]))
		die("mmap, pipe");
	for (int i = 0; i < 2; i++)
		mutexes[i] = (struct mutex){ LOCKED_WITH_WAITERS, 0, (unsigned int)getpid(), 1, 0 };
	stay_on(0);
	go_first();
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;) {
			wait_for(1);
			wake(0);
		}
	}
	printf("{\"state\": \"%s\", \"waits_for\": \"%s\", \"instructions\": %.0f}\n", argv[1],
	       argv[2], (double)median_turn() / TICKS_PER_INSTRUCTION);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return 0;
}
