// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_blocked.h"

#include <uapi/annot.h>

#include "trace/decode/decode_kernel.h"
#include "trace/decode/fields.h"
#include "trace/names/blocked_texts.h"
#include "trace/names/stack_table.h"

#define FUTEX_IS_PRIVATE 128

/* The fields of annot_blocked, in the order of its spec. */
enum blocked_field {
	BLOCKED_NR,
	BLOCKED_ARG0,
	BLOCKED_ARG1,
	BLOCKED_WHAT,
	BLOCKED_OBJECT,
	BLOCKED_DETAIL,
	BLOCKED_HOLDER,
	BLOCKED_FLAGS,
	BLOCKED_NAME,
};

static uint64_t get(const struct decoder *decoder, const struct event_layout *layout,
		    const struct raw_record *record, enum blocked_field field)
{
	return field_get_unsigned(decoder, &layout->fields[field], record);
}

/* What one call may wait for in several ways depends on: see call_causes.h. */
static uint32_t variant_of(uint8_t what, uint32_t detail, uint64_t arg1)
{
	if (what == ANNOT_BLOCKED_CHAR_DEVICE)
		return detail >> 8 & 0xfff;
	return (uint32_t)arg1;
}

static void take_object(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	const uint8_t what = (uint8_t)get(decoder, layout, record, BLOCKED_WHAT);
	const uint64_t flags = get(decoder, layout, record, BLOCKED_FLAGS);
	const struct blocked_object object = {
		.number = get(decoder, layout, record, BLOCKED_OBJECT),
		.detail = (uint32_t)get(decoder, layout, record, BLOCKED_DETAIL),
		.name = field_get_string(decoder, &layout->fields[BLOCKED_NAME], record),
		.what = what,
		.is_descriptor = flags & ANNOT_BLOCKED_IS_DESCRIPTOR,
	};

	event->blocked.object = TRACE_NO_STRING;
	event->blocked.object_id = 0;
	event->blocked.holder_tid = 0;
	if (!(flags & ANNOT_BLOCKED_HAS_OBJECT))
		return;
	event->blocked.object = blocked_texts_object(decoder->blocked_texts, &object);
	event->blocked.object_id = object.number;
	event->blocked.holder_tid = field_get_i32(decoder, &layout->fields[BLOCKED_HOLDER], record);
}

bool decode_annot_blocked(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	const int32_t nr = field_get_i32(decoder, &layout->fields[BLOCKED_NR], record);
	const uint8_t what = (uint8_t)get(decoder, layout, record, BLOCKED_WHAT);
	const uint64_t arg1 = get(decoder, layout, record, BLOCKED_ARG1);
	const bool is_compat = get(decoder, layout, record, BLOCKED_FLAGS) & ANNOT_BLOCKED_COMPAT;

	event->kind = TRACE_BLOCKED;
	event->blocked.system_call = nr < 0 ?
					     TRACE_NO_STRING :
					     kernel_decoder_syscall(decoder->kernel, nr, is_compat);
	take_object(decoder, layout, record, event);
	event->blocked.cause = blocked_texts_cause(
		decoder->blocked_texts, event->blocked.system_call, what,
		variant_of(what, (uint32_t)get(decoder, layout, record, BLOCKED_DETAIL), arg1));
	event->blocked.cause_if_stopped = blocked_texts_stopped(decoder->blocked_texts);
	event->blocked.stack = 0;
	if (layout->has_optionals)
		event->blocked.stack =
			stack_table_use(decoder->stacks,
					(uint32_t)field_get_unsigned(decoder, &layout->optionals[0],
								     record));
	event->blocked.is_of_process = what == ANNOT_BLOCKED_FUTEX && arg1 & FUTEX_IS_PRIVATE;
	return true;
}

bool decode_annot_waking(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	event->kind = TRACE_WAKER_STACK;
	event->waker.wakee_tid = field_get_i32(decoder, &field[0], record);
	event->waker.stack =
		stack_table_use(decoder->stacks,
				(uint32_t)field_get_unsigned(decoder, &field[1], record));
	return true;
}
