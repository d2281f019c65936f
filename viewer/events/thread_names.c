// SPDX-License-Identifier: GPL-2.0
#include "events/thread_names.h"

#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

#define TIDS_MAX (1 << 22) /* the kernel's PID_MAX_LIMIT */

static void set_name(struct thread_names *names, int32_t tid, uint32_t comm)
{
	size_t nr;

	if (tid < 0 || tid >= TIDS_MAX || comm == TRACE_NO_STRING)
		return;
	if ((size_t)tid >= names->nr) {
		nr = grown_capacity(names->nr, (size_t)tid + 1);
		names->comm = xrealloc_array(names->comm, nr, sizeof(*names->comm));
		memset(names->comm + names->nr, 0, (nr - names->nr) * sizeof(*names->comm));
		names->nr = nr;
	}
	names->comm[tid] = comm;
}

/* "TID COMM" */
static void take_line(struct thread_names *names, struct trace *trace, char *line)
{
	char *end;
	long tid = strtol(line, &end, 10);

	if (end != line && *end == ' ' && tid >= 0 && tid < TIDS_MAX)
		set_name(names, (int32_t)tid, trace_intern(trace, end + 1));
}

int thread_names_read(struct thread_names *names, struct trace *trace)
{
	char *text = trace_comms(trace), *rest = text;

	if (!text)
		return -1;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		take_line(names, trace, line);
	free(text);
	return 0;
}

void thread_names_free(struct thread_names *names)
{
	free(names->comm);
}

void thread_names_note(struct thread_names *names, const struct trace_event *event)
{
	if (event->kind == TRACE_SWITCH) {
		set_name(names, event->tid, event->sw.prev_comm);
		set_name(names, event->sw.next_tid, event->sw.next_comm);
	} else if (event->kind == TRACE_FORK) {
		set_name(names, event->fork.child_tid, event->fork.comm);
	} else if (event->kind == TRACE_RENAME) {
		set_name(names, event->rename.subject_tid, event->rename.comm);
	}
}

const char *thread_names_get(const struct thread_names *names, const struct trace *trace,
			     int32_t tid)
{
	if (!tid)
		return "<idle>";
	if (tid < 0 || (size_t)tid >= names->nr || names->comm[tid] == TRACE_NO_STRING)
		return "<...>";
	return trace_string(trace, names->comm[tid]);
}
