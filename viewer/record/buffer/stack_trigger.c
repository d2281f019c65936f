// SPDX-License-Identifier: GPL-2.0
#include "record/buffer/stack_trigger.h"

#include <stddef.h>
#include <string.h>

#include "record/buffer/tracing.h"
#include "util/diag.h"

#define FILE_NAME "events/sched/sched_switch/trigger"

/* A preempted thread has 256 in prev_state: it does not wait for anything but a CPU. */
#define TRIGGER "stacktrace if prev_state & 255"

int stack_trigger_set(struct tracefs_instance *instance)
{
	int error = tracing_write(instance, FILE_NAME, TRIGGER);

	if (error)
		return diag_error("record: --why: the kernel does not record stacks: %s: %s",
				  FILE_NAME, strerror(error));
	return 0;
}

void stack_trigger_remove(struct tracefs_instance *instance)
{
	tracing_write(instance, FILE_NAME, "!" TRIGGER);
}
