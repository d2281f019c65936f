// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: stack_wakers
 *
 * Waits for a pipe that another thread writes to, at the ends of two chains of calls, by turns. Says by its own clock for how
 * long it waited for each: "soon NS", "late NS". No function keeps a frame pointer.
 *
 *	feed < soon < hand_over < push			after 10 ms
 *	feed < late < give_back < unlock < push		after 30 ms
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noipa))

#define ROUNDS 8
#define SOON_US 10000
#define LATE_US 30000

static int ends[2];

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Each does something after its call: none is a jump. */
static APART int push(char what)
{
	return write(ends[1], &what, 1) == 1 ? 0 : -1;
}

static APART int hand_over(void)
{
	return push('s') + 1;
}

static APART int soon(void)
{
	usleep(SOON_US);
	return hand_over() + 1;
}

static APART int unlock(void)
{
	return push('l') + 1;
}

static APART int give_back(void)
{
	return unlock() + 1;
}

static APART int late(void)
{
	usleep(LATE_US);
	return give_back() + 1;
}

static APART void *feed(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; i++) {
		if (soon() != 2 || late() != 3)
			exit(1);
	}
	return NULL;
}

/* Whatever else the machine does, a wait is over when the thread runs again. */
static void run_at_once(void)
{
	const struct sched_param first = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_FIFO, &first);
}

int main(void)
{
	uint64_t soon_ns = 0, late_ns = 0;
	pthread_t feeder;

	if (pipe(ends))
		return 2;
	run_at_once();
	if (pthread_create(&feeder, NULL, feed, NULL))
		return 2;
	for (int i = 0; i < 2 * ROUNDS; i++) {
		uint64_t from_ns = now_ns();
		char what;

		if (read(ends[0], &what, 1) != 1)
			return 1;
		*(what == 's' ? &soon_ns : &late_ns) += now_ns() - from_ns;
	}
	pthread_join(feeder, NULL);
	printf("soon %llu\nlate %llu\n", (unsigned long long)soon_ns, (unsigned long long)late_ns);
	return 0;
}
