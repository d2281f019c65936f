// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: shares ROUNDS
 *
 * Spends known shares of its CPU time at the ends of three chains of calls, in two threads, and sleeps between the rounds. Says
 * by its own clocks how long that took: "alpha NS", "beta NS", "gamma_first NS", and "all NS" of the whole process. No function keeps
 * a frame pointer.
 *
 *	work < alpha < alpha_inner < burn			5 of 10
 *	work < beta < burn					3 of 10
 *	work < gamma_first < gamma_inner < gamma_most < burn		2 of 10
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noipa))

#define PART_NS 1700000
#define NAP_US 3000
#define TURNS_BETWEEN_CLOCKS 5000

static _Atomic uint64_t alpha_ns, beta_ns, gamma_ns;
static volatile long kept;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static APART void turn(void)
{
	for (int i = 0; i < TURNS_BETWEEN_CLOCKS; i++)
		kept = kept + i;
}

/* Returns how long it really took. */
static APART uint64_t burn(uint64_t length_ns)
{
	uint64_t from_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), now_ns;

	do {
		turn();
		now_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	} while (now_ns - from_ns < length_ns);
	return now_ns - from_ns;
}

/* Each does something after its call: none is a jump. */
static APART uint64_t alpha_inner(void)
{
	return burn(5 * PART_NS) + 1;
}

static APART void alpha(void)
{
	alpha_ns += alpha_inner() - 1;
}

static APART void beta(void)
{
	beta_ns += burn(3 * PART_NS);
}

static APART uint64_t gamma_most(void)
{
	return burn(2 * PART_NS) + 1;
}

static APART uint64_t gamma_inner(void)
{
	return gamma_most() + 1;
}

static APART void gamma_first(void)
{
	gamma_ns += gamma_inner() - 2;
}

static APART void *work(void *rounds)
{
	for (intptr_t i = 0; i < (intptr_t)rounds; i++) {
		alpha();
		beta();
		gamma_first();
		usleep(NAP_US);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	void *rounds = (void *)(intptr_t)(argc > 1 ? atoi(argv[1]) : 50);
	pthread_t other;

	if (pthread_create(&other, NULL, work, rounds))
		return 1;
	work(rounds);
	pthread_join(other, NULL);
	printf("alpha %llu\nbeta %llu\ngamma_first %llu\nall %llu\n", (unsigned long long)alpha_ns,
	       (unsigned long long)beta_ns, (unsigned long long)gamma_ns,
	       (unsigned long long)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	return 0;
}
