// SPDX-License-Identifier: GPL-2.0
#include "record/readers/share.h"

#include <time.h>

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void share_give_way(struct share *share)
{
	int64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct timespec pause = { 0 };

	if (now_ns - share->begin_ns < SHARE_WINDOW_NS) {
		if (cpu_ns - share->cpu_ns < SHARE_MOST_CPU_NS)
			return;
		pause.tv_nsec = (long)(SHARE_WINDOW_NS - (now_ns - share->begin_ns));
		nanosleep(&pause, NULL);
		now_ns = clock_ns(CLOCK_MONOTONIC);
	}
	share->begin_ns = now_ns;
	share->cpu_ns = cpu_ns;
}
