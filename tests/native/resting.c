// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: resting SECONDS
 *
 * Annotates all the time, until SIGTERM at the latest, makes no system call, and prints how many
 * annotations it made while it rested (nobody records, as far as it knows), how many else, how often
 * it ceased to rest, and how often it left its CPU.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "annot/annot.h"

#define NR_AT_ONCE 1000

static volatile sig_atomic_t is_over;

static void end(int number)
{
	(void)number;
	is_over = 1;
}

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	double end_s = now_s() + (argc > 1 ? atof(argv[1]) : 1);
	long nr_resting = 0, nr_awake = 0, nr_awoken = 0;
	struct rusage usage;
	int rested = 0;

	signal(SIGTERM, end);
	annot_mark("begin");
	puts(annot_status());
	fflush(stdout);
	while (!is_over && now_s() < end_s) {
		for (int i = 0; i < NR_AT_ONCE; i++) {
			int rests = !annot_is_wanted();

			annot_mark("again");
			*(rests ? &nr_resting : &nr_awake) += 1;
			nr_awoken += rested && !rests;
			rested = rests;
		}
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%ld %ld %ld %ld\n", nr_resting, nr_awake, nr_awoken,
	       usage.ru_nvcsw + usage.ru_nivcsw);
	return 0;
}
