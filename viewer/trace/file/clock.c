// SPDX-License-Identifier: GPL-2.0
#include "trace/file/clock.h"

#include <stddef.h>
#include <string.h>

static bool counts_at_own_rate(const char *clock)
{
	return strstr(clock, "-tsc") || !strcmp(clock, "ppc-tb") || !strcmp(clock, "s390-tod");
}

const char *trace_clock_unfit(const char *clock, bool has_rate)
{
	if (!strcmp(clock, "counter"))
		return "counts events, not time";
	if (!strcmp(clock, "uptime"))
		return "counts hundredths of a second";
	if (counts_at_own_rate(clock) && !has_rate)
		return "counts at a rate that the file does not tell";
	return NULL;
}
