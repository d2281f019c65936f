/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GUEST_SWITCHES_H
#define GUEST_SWITCHES_H

#include <sys/resource.h>
#include <unistd.h>

static inline long nr_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* A sleep that is over before it has begun, as may be when emulated, does not leave the CPU. */
static inline void leave_cpu(void)
{
	long before = nr_switches();

	do {
		usleep(1000);
	} while (nr_switches() == before);
}

#endif
