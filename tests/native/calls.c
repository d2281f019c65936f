// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: calls
 *
 * System calls of which it knows how many there are, what they return and how long they take: prints
 * a line for each name, "NAME COUNT ERRORS BLOCKED_NS". Nothing else of it makes these calls: it makes them by number.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NR_PRIORITY 1000
#define NR_BAD 300
#define NR_SLEEPS 20
#define SLEEP_NS 5000000

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* getpriority() of itself; of nobody, an error. */
static void ask_priorities(void)
{
	int errors = 0;

	for (int i = 0; i < NR_PRIORITY; i++)
		errors += syscall(SYS_getpriority, i < NR_BAD ? 77 : 0, 0) < 0;
	printf("getpriority %d %d 0\n", NR_PRIORITY, errors);
}

static void sleep_often(void)
{
	struct timespec length = { .tv_nsec = SLEEP_NS };
	uint64_t slept_ns = 0;

	for (int i = 0; i < NR_SLEEPS; i++) {
		uint64_t from_ns = now_ns();

		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &length, NULL);
		slept_ns += now_ns() - from_ns;
	}
	printf("clock_nanosleep %d 0 %llu\n", NR_SLEEPS, (unsigned long long)slept_ns);
}

int main(void)
{
	ask_priorities();
	sleep_often();
	return 0;
}
