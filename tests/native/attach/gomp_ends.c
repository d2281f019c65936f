// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: gomp_ends exit | fork | exec | loop SECONDS
 *
 * Ends in unusual ways: in a region, in the child of a fork; or works on, for recordings that begin and end meanwhile.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "omp_truth.h"

static int in_threads(int nr_threads)
{
	int nr = 0;

#pragma omp parallel num_threads(nr_threads) reduction(+ : nr)
	{
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 100; i++)
			nr += i;
#pragma omp critical
		nr += 1;
#pragma omp single
		for (int i = 0; i < 8; i++) {
#pragma omp task
			work_ns(20000);
		}
	}
	return nr;
}

static int status_of(pid_t child)
{
	int status;

	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "loop")) {
		for (long end_ns = now_ns() + atoi(argv[2]) * 1000000000L; now_ns() < end_ns;)
			in_threads(4);
		return 3;
	}
	printf("%d\n", in_threads(4));
	fflush(stdout);
	if (!strcmp(argv[1], "exit")) {
#pragma omp parallel num_threads(4)
		if (omp_get_thread_num() == 2)
			exit(4);
		else
			pause();
	}
	for (int i = 0; i < 2; i++) {
		pid_t child = fork();

		if (!child && !strcmp(argv[1], "exec"))
			execl("/bin/sh", "sh", "-c", "exit 6", (char *)NULL);
		if (!child)
			exit(in_threads(1) == 4951 ? 6 : 1);
		if (status_of(child) != 6)
			return 1;
	}
	printf("%d\n", in_threads(4));
	return 3;
}
