// SPDX-License-Identifier: GPL-2.0
#include "record/buffer/marker.h"

#include <stdio.h>

#include "record/buffer/tracing.h"
#include "trace/annotations/atrace.h"

void marker_write(struct tracefs_instance *instance, const char *line)
{
	tracing_write(instance, "trace_marker", line);
}

void marker_write_session(struct tracefs_instance *instance)
{
	marker_write(instance, ATRACE_SESSION);
}

void marker_write_session_of(struct tracefs_instance *instance, pid_t tgid, pid_t tid)
{
	char line[64];

	snprintf(line, sizeof(line), ATRACE_SESSION "|%d|%d", tgid, tid);
	marker_write(instance, line);
}
