// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_stack.h"

#include "trace/decode/decode_other.h"
#include "trace/decode/fields.h"

#define FORMAT_FRAMES 8 /* what the format says, whatever a record has */

#define KIND_OF_KERNEL 1 /* of annot_stack */

enum stack_field {
	STACK_NR,
	STACK_FRAMES,
};

enum user_stack_field {
	USER_STACK_TGID,
	USER_STACK_FRAMES,
};

enum annot_stack_field {
	ANNOT_STACK_ID,
	ANNOT_STACK_TGID,
	ANNOT_STACK_KIND,
	ANNOT_STACK_COMPLETE,
	ANNOT_STACK_IPS,
};

/* An address as long as the kernel's pointers. */
static uint64_t load_address(const struct decoder *decoder, const uint8_t *at, size_t bytes)
{
	return bytes == 4 ? load_u32(at, decoder->swap) : load_u64(at, decoder->swap);
}

/* Into decoder->words, up to the end mark of kernels that have one; frames beyond these are left out. */
static size_t take_frames(struct decoder *decoder, const struct field_position *field,
			  size_t address_bytes, size_t nr, const struct raw_record *record)
{
	const uint64_t end_mark = address_bytes == 4 ? UINT32_MAX : UINT64_MAX;
	size_t there = (record->size - field->offset) / address_bytes;

	nr = nr < there ? nr : there;
	nr = nr < MAX_WORDS ? nr : MAX_WORDS;
	for (size_t i = 0; i < nr; i++) {
		decoder->words[i] = load_address(decoder,
						 record->data + field->offset + i * address_bytes,
						 address_bytes);
		if (decoder->words[i] == end_mark)
			return i;
	}
	return nr;
}

uint32_t decode_kernel_stack_min_bytes(const struct event_layout *layout)
{
	return layout->fields[STACK_FRAMES].offset;
}

bool decode_kernel_stack(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *frames = &layout->fields[STACK_FRAMES];
	size_t address_bytes = frames->size / FORMAT_FRAMES;
	struct trace_stack stack = { .ips = decoder->words, .is_kernel = true };
	struct trace_event other;
	struct stack_name name;
	int32_t nr;

	if ((address_bytes != 4 && address_bytes != 8) || !decode_other(decoder, record, &other))
		return false;
	nr = field_get_i32(decoder, &layout->fields[STACK_NR], record);
	if (nr <= 0)
		return decode_damaged(decoder, TRACE_DAMAGED_OTHER);
	stack.nr = take_frames(decoder, frames, address_bytes, (size_t)nr, record);
	event->stack.id = stack_table_intern(decoder->stacks, &stack);
	name = stack_names_get(decoder->stack_names, event->stack.id, stack.ips, stack.nr);
	event->kind = TRACE_KERNEL_STACK;
	event->stack.may_be_in_switch = other.other.may_be_in_switch;
	event->stack.cause = name.cause;
	event->stack.frames = name.text;
	return true;
}

bool decode_user_stack(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *frames = &layout->fields[USER_STACK_FRAMES];
	size_t address_bytes = frames->size / FORMAT_FRAMES, nr = 0;
	struct trace_stack stack = {
		.ips = decoder->words,
		.tgid = field_get_i32(decoder, &layout->fields[USER_STACK_TGID], record),
	};
	struct trace_event other;

	if ((address_bytes != 4 && address_bytes != 8) || !decode_other(decoder, record, &other))
		return false;
	stack.nr = take_frames(decoder, frames, address_bytes, FORMAT_FRAMES, record);
	/* Behind the outermost one there are zeros. */
	while (nr < stack.nr && decoder->words[nr])
		nr++;
	stack.nr = nr;
	event->kind = TRACE_USER_STACK;
	event->stack.may_be_in_switch = other.other.may_be_in_switch;
	event->stack.cause = TRACE_NO_STRING;
	event->stack.frames = TRACE_NO_STRING;
	event->stack.id = stack_table_intern(decoder->stacks, &stack);
	return true;
}

bool decode_annot_stack(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;
	int nr = field_get_words(decoder, &field[ANNOT_STACK_IPS], record);
	struct trace_stack stack = {
		.ips = decoder->words,
		.nr = nr > 0 ? (size_t)nr : 0,
		.tgid = field_get_i32(decoder, &field[ANNOT_STACK_TGID], record),
		.is_kernel = field_get_unsigned(decoder, &field[ANNOT_STACK_KIND], record) ==
			     KIND_OF_KERNEL,
		.is_whole = field_get_unsigned(decoder, &field[ANNOT_STACK_COMPLETE], record),
	};

	(void)event;
	if (nr < 0)
		return decode_damaged(decoder, TRACE_DAMAGED_OTHER);
	stack_table_tell(decoder->stacks,
			 (uint32_t)field_get_unsigned(decoder, &field[ANNOT_STACK_ID], record),
			 &stack);
	return false;
}
