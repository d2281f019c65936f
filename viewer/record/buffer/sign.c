// SPDX-License-Identifier: GPL-2.0
#include "record/buffer/sign.h"

#include <stdlib.h>
#include <string.h>

#include "record/buffer/tracing.h"

/* Each kernel has it, and it is rare; by the filter it is known to be ours. */
#define EVENT "events/sched/sched_kthread_stop"
#define FILTER "pid == -4711"

void sign_put(void)
{
	tracing_write(NULL, EVENT "/filter", FILTER);
	tracing_write(NULL, EVENT "/enable", "1");
}

void sign_remove(void)
{
	tracing_write(NULL, EVENT "/enable", "0");
	tracing_write(NULL, EVENT "/filter", "0");
}

bool sign_is_there(void)
{
	char *filter = tracing_read(NULL, EVENT "/filter");
	bool there = filter && !strcmp(filter, FILTER);

	free(filter);
	return there;
}
