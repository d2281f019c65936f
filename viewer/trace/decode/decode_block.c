// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_block.h"

#include <stdio.h>

#include "trace/decode/decode_other.h"
#include "trace/decode/fields.h"

#define MINOR_BITS 20 /* of a dev_t of the kernel */

enum {
	FIELD_DEV,
	FIELD_SECTOR,
	FIELD_NR_SECTOR,
	FIELD_RWBS,
	FIELD_ERROR
};

/* As lsblk(8) prints it. */
static uint32_t device_name(struct decoder *decoder, uint32_t dev)
{
	char name[24];
	int length = snprintf(name, sizeof(name), "%u:%u", dev >> MINOR_BITS,
			      dev & ((1u << MINOR_BITS) - 1));

	return string_table_intern(decoder->strings, name, (size_t)length);
}

/* By blk_fill_rwbs() of the kernel: an F before another letter asks for a flush first. */
static enum trace_block_op op_of(const char *rwbs, size_t bytes)
{
	for (size_t i = 0; i < bytes && i < 2 && rwbs[i]; i++) {
		if (rwbs[i] == 'R')
			return TRACE_BLOCK_READ;
		if (rwbs[i] == 'W')
			return TRACE_BLOCK_WRITE;
		if (rwbs[i] == 'D')
			return TRACE_BLOCK_DISCARD;
		if (rwbs[i] != 'F')
			return TRACE_BLOCK_OTHER;
	}
	return bytes && rwbs[0] == 'F' ? TRACE_BLOCK_FLUSH : TRACE_BLOCK_OTHER;
}

/* Returns false if the record does not have what all events have. */
static bool fill(struct decoder *decoder, const struct event_layout *layout,
		 const struct raw_record *record, struct trace_event *event)
{
	bool may_be_in_switch;
	const char *rwbs;
	uint16_t type;
	size_t bytes;

	if (!decode_other(decoder, record, event))
		return false;
	may_be_in_switch = event->other.may_be_in_switch;
	type = event->other.type;
	rwbs = field_get_bytes(decoder, &layout->fields[FIELD_RWBS], record, &bytes);
	event->block.may_be_in_switch = may_be_in_switch;
	event->block.type = type;
	event->block.op = (uint8_t)op_of(rwbs, bytes);
	event->block.failed = false;
	event->block.dev = (uint32_t)field_get_unsigned(decoder, &layout->fields[FIELD_DEV],
							record);
	event->block.device = device_name(decoder, event->block.dev);
	event->block.sector = field_get_unsigned(decoder, &layout->fields[FIELD_SECTOR], record);
	event->block.nr_sectors =
		(uint32_t)field_get_unsigned(decoder, &layout->fields[FIELD_NR_SECTOR], record);
	return true;
}

bool decode_block_issue(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	if (!fill(decoder, layout, record, event))
		return false;
	event->kind = TRACE_BLOCK_ISSUE;
	return true;
}

bool decode_block_done(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	if (!fill(decoder, layout, record, event))
		return false;
	event->kind = TRACE_BLOCK_COMPLETE;
	return true;
}

bool decode_block_complete(struct decoder *decoder, const struct event_layout *layout,
			   const struct raw_record *record, struct trace_event *event)
{
	if (!decode_block_done(decoder, layout, record, event))
		return false;
	event->block.failed = field_get_i32(decoder, &layout->fields[FIELD_ERROR], record);
	return true;
}

bool decode_block_merge(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	if (!fill(decoder, layout, record, event))
		return false;
	event->kind = TRACE_BLOCK_MERGE;
	return true;
}
