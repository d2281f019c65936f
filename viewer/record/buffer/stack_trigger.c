// SPDX-License-Identifier: GPL-2.0
#include "record/buffer/stack_trigger.h"

#include <stddef.h>
#include <string.h>

#include "record/buffer/tracing.h"
#include "util/diag.h"

#define FILE_NAME "events/sched/sched_switch/trigger"

static const char *const triggers[] = {
	[STACK_TRIGGER_NONE] = NULL,
	/* A preempted thread has 256 in prev_state: it does not wait for anything but a CPU. */
	[STACK_TRIGGER_ASLEEP] = "stacktrace if prev_state & 255",
	[STACK_TRIGGER_UNINTERRUPTIBLE] = "stacktrace if prev_state == 2",
};

int stack_trigger_set(struct tracefs_instance *instance, enum stack_trigger trigger)
{
	int error = triggers[trigger] ? tracing_write(instance, FILE_NAME, triggers[trigger]) : 0;

	if (error)
		return diag_error("record: --why: the kernel does not record stacks: %s: %s",
				  FILE_NAME, strerror(error));
	return 0;
}

void stack_trigger_remove(struct tracefs_instance *instance)
{
	/* The kernel finds it by its kind. */
	tracing_write(instance, FILE_NAME, "!stacktrace");
}
