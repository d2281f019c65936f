// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_task.h"

#include <string.h>

#include "trace/decode/fields.h"
#include "util/xalloc.h"

#define CLONE_THREAD_FLAG 0x00010000u /* CLONE_THREAD of linux/sched.h */

static void remember_child(struct decoder *decoder, int32_t tid)
{
	size_t word = (size_t)tid / 64;

	if (tid < 0 || tid >= 1 << 22) /* the kernel's PID_MAX_LIMIT */
		return;
	if (word >= decoder->known_children_words) {
		size_t words = grown_capacity(decoder->known_children_words, word + 1);

		decoder->known_children = xrealloc_array(decoder->known_children, words,
							 sizeof(*decoder->known_children));
		memset(decoder->known_children + decoder->known_children_words, 0,
		       (words - decoder->known_children_words) * sizeof(*decoder->known_children));
		decoder->known_children_words = words;
	}
	decoder->known_children[word] |= 1ull << (tid % 64);
}

/*
 * Whether task_newtask was seen for the child. Clears the mark: the next fork is another child with
 * the same tid.
 */
static bool forget_child(struct decoder *decoder, int32_t tid)
{
	size_t word = (size_t)tid / 64;
	uint64_t bit = 1ull << ((uint32_t)tid % 64);

	if (tid < 0 || word >= decoder->known_children_words)
		return false;
	if (!(decoder->known_children[word] & bit))
		return false;
	decoder->known_children[word] &= ~bit;
	return true;
}

bool decode_task_newtask(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	event->kind = TRACE_FORK;
	event->fork.child_tid = field_get_i32(decoder, &field[0], record);
	event->fork.comm = field_get_string(decoder, &field[1], record);
	event->fork.thread_known = true;
	event->fork.is_thread = field_get_unsigned(decoder, &field[2], record) & CLONE_THREAD_FLAG;
	remember_child(decoder, event->fork.child_tid);
	return true;
}

bool decode_task_fork(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	event->kind = TRACE_FORK;
	event->fork.comm = field_get_string(decoder, &field[0], record);
	event->fork.child_tid = field_get_i32(decoder, &field[1], record);
	event->fork.thread_known = false;
	event->fork.is_thread = false;
	return !forget_child(decoder, event->fork.child_tid);
}

bool decode_task_rename(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	event->kind = TRACE_RENAME;
	event->rename.subject_tid = field_get_i32(decoder, &field[0], record);
	event->rename.comm = field_get_string(decoder, &field[1], record);
	event->rename.is_exec = false;
	event->rename.exec_old_tid = event->rename.subject_tid;
	return true;
}

/* The kernel names a program after the last part of its path, cut to what a comm holds. */
static uint32_t comm_of_program(struct decoder *decoder, const char *path, size_t bytes)
{
	const char *slash;

	bytes = strnlen(path, bytes);
	/* fexecve(): the path is not the program's. */
	if (bytes > 8 && !memcmp(path, "/dev/fd/", 8))
		return TRACE_NO_STRING;
	slash = memrchr(path, '/', bytes);
	if (slash) {
		bytes -= (size_t)(slash + 1 - path);
		path = slash + 1;
	}
	return string_table_intern(decoder->strings, path,
				   bytes < COMM_BYTES ? bytes : COMM_BYTES - 1);
}

bool decode_task_exec(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;
	size_t bytes;
	const char *path = field_get_bytes(decoder, &field[0], record, &bytes);

	event->kind = TRACE_RENAME;
	event->rename.comm = comm_of_program(decoder, path, bytes);
	event->rename.subject_tid = field_get_i32(decoder, &field[1], record);
	event->rename.is_exec = true;
	event->rename.exec_old_tid = field_get_i32(decoder, &field[2], record);
	return true;
}

bool decode_task_exit(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event)
{
	event->kind = TRACE_EXIT;
	event->tid = field_get_i32(decoder, &layout->fields[0], record);
	raw_reader_forget_thread(decoder->raw, event->tid);
	return true;
}
