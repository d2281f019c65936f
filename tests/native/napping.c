// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: napping TIMES SLEEP_NS SLACK_NS
 *
 * Sleeps so often and so long, with that timer slack. Prints for how long, in ns, it slept beyond what it asked for.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(int argc, char **argv)
{
	struct timespec nap = { 0 };
	int64_t late_ns = 0;

	if (argc != 4 || prctl(PR_SET_TIMERSLACK, strtoul(argv[3], NULL, 10)))
		return 1;
	nap.tv_nsec = atol(argv[2]);
	for (int i = atoi(argv[1]); i > 0; i--) {
		int64_t since_ns = now_ns();

		nanosleep(&nap, NULL);
		late_ns += now_ns() - since_ns - nap.tv_nsec;
	}
	printf("%lld\n", (long long)late_ns);
	return 0;
}
