// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_thread_marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/decode/decode_kernel.h"
#include "trace/decode/fields.h"

#define MAX_TEXT_BYTES 4352 /* a path, and who did it */
#define MAX_RT_PRIO 100 /* the kernel's numbers below are of real-time threads */
#define DEFAULT_PRIO 120 /* nice 0 */

/* A mark of thread @tid, with what is done to it and, if that is another one, by whom. */
static bool decode_mark(struct decoder *decoder, const struct raw_record *record,
			struct trace_event *event, enum trace_kernel_kind kind, int32_t tid,
			const char *what)
{
	static const char *const names[NR_TRACE_KERNEL_KINDS] = {
		[TRACE_KERNEL_PRIORITY] = "priority inheritance",
		[TRACE_KERNEL_CGROUP] = "moved to cgroup",
	};
	char text[MAX_TEXT_BYTES];

	if (event->tid == tid)
		snprintf(text, sizeof(text), "%s", what);
	else
		snprintf(text, sizeof(text), "%s, by thread %" PRId32, what, event->tid);
	decode_kernel_mark(decoder, record, event, kind, names[kind], text);
	event->kernel.of_tid = tid;
	return true;
}

static void print_priority(char *text, size_t bytes, int32_t prio)
{
	if (prio < 0)
		snprintf(text, bytes, "deadline");
	else if (prio < MAX_RT_PRIO)
		snprintf(text, bytes, "real-time priority %" PRId32, MAX_RT_PRIO - 1 - prio);
	else
		snprintf(text, bytes, "nice %" PRId64, (int64_t)prio - DEFAULT_PRIO);
}

bool decode_inherited_priority(struct decoder *decoder, const struct event_layout *layout,
			       const struct raw_record *record, struct trace_event *event)
{
	char before[40], now[40], text[100];

	print_priority(before, sizeof(before), field_get_i32(decoder, &layout->fields[1], record));
	print_priority(now, sizeof(now), field_get_i32(decoder, &layout->fields[2], record));
	snprintf(text, sizeof(text), "%s to %s", before, now);
	return decode_mark(decoder, record, event, TRACE_KERNEL_PRIORITY,
			   field_get_i32(decoder, &layout->fields[0], record), text);
}

bool decode_cgroup_move(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	char path[MAX_TEXT_BYTES - 64];
	size_t bytes;
	const char *field = field_get_bytes(decoder, &layout->fields[1], record, &bytes);

	snprintf(path, sizeof(path), "%.*s", (int)strnlen(field, bytes), field);
	return decode_mark(decoder, record, event, TRACE_KERNEL_CGROUP,
			   field_get_i32(decoder, &layout->fields[0], record), path);
}
