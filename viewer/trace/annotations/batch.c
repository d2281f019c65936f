// SPDX-License-Identifier: GPL-2.0
#include "trace/annotations/batch.h"

#include <stddef.h>

#include "trace/annot_raw.h"
#include "trace/annotations/annotation_counts.h"
#include "util/load.h"

_Static_assert(BATCH_RECORD_BYTES == sizeof(struct annot_raw_record), "in either format");

void batch_begin(struct batch *batch, const char *words, size_t bytes, uint32_t nr,
		 struct trace_annotation_counts *counts)
{
	size_t nr_held = bytes / BATCH_RECORD_BYTES; /* as large in either format */

	batch->at = (const uint8_t *)words;
	batch->is_half_done = false;
	batch->nr_left = nr;
	/* How many there should have been is to be believed no more than that they are there. */
	if (nr > nr_held) {
		batch->nr_left = (uint32_t)nr_held;
		annotation_counts_add_unreadable(counts);
	}
}

/* False: an operation that is not known here. */
static bool set_kind(struct trace_event *event, uint32_t op)
{
	event->annot.span_kind = op == ANNOT_OP_WAIT_BEGIN ? TRACE_SPAN_WAIT : TRACE_SPAN_WORK;
	switch (op) {
	case ANNOT_OP_BEGIN:
	case ANNOT_OP_WAIT_BEGIN:
		event->kind = TRACE_SPAN_BEGIN;
		return true;
	case ANNOT_OP_END:
	case ANNOT_OP_NEXT:
		event->kind = TRACE_SPAN_END;
		return true;
	case ANNOT_OP_MARK:
		event->kind = TRACE_MARK;
		return true;
	case ANNOT_OP_COUNTER:
		event->kind = TRACE_COUNTER;
		return true;
	default:
		return false;
	}
}

static void set_name_and_value(const struct batch *batch, const struct batch_record *record,
			       struct trace_annotation_counts *counts, struct trace_event *event)
{
	bool known;

	event->annot.name = name_table_get(batch->names, batch->table, record->name, &known);
	counts->nr_nameless += !known;
	event->annot.has_value = event->kind == TRACE_COUNTER ||
				 record->flags & ANNOT_RECORD_HAS_VALUE;
	event->annot.value = record->value;
}

/* How long before the end of the clock's stretch @ticks were; in it, at any rate. */
static uint64_t age_ns(const struct batch_clock *clock, uint64_t ticks,
		       struct trace_annotation_counts *counts)
{
	if (ticks < clock->since_ticks || ticks > clock->until_ticks) {
		if (counts)
			counts->nr_altered++;
		return ticks > clock->until_ticks ? 0 : clock->length_ns;
	}
	return annot_raw_age_ns(clock->since_ticks, clock->until_ticks, clock->length_ns, ticks);
}

static struct batch_record read_raw_record(const struct batch *batch,
					   struct trace_annotation_counts *counts)
{
	const uint8_t *at = batch->at;
	uint16_t reserved = load_u16(at + offsetof(struct annot_raw_record, reserved), batch->swap);

	return (struct batch_record){
		.ago_ns = age_ns(&batch->clock, load_u64(at, batch->swap), counts),
		.value = (int64_t)load_u64(at + offsetof(struct annot_raw_record, value),
					   batch->swap),
		.name = load_u32(at + offsetof(struct annot_raw_record, name), batch->swap),
		.flags = at[offsetof(struct annot_raw_record, flags)],
		.op = at[offsetof(struct annot_raw_record, op)] | (uint32_t)reserved << 8,
	};
}

struct batch_record batch_read(const struct batch *batch, struct trace_annotation_counts *counts)
{
	if (batch->is_raw)
		return read_raw_record(batch, counts);
	return batch_record_of(load_u64(batch->at, batch->swap),
			       load_u64(batch->at + 8, batch->swap),
			       load_u64(batch->at + 16, batch->swap));
}

void batch_step(struct batch *batch)
{
	batch->is_half_done = false;
	batch->at += BATCH_RECORD_BYTES;
	batch->nr_left--;
}

bool batch_next(struct batch *batch, struct trace_annotation_counts *counts,
		struct trace_event *event)
{
	for (; batch->nr_left; batch_step(batch)) {
		/* The second half of a record is no second reason to count it. */
		struct batch_record record = batch_read(batch, batch->is_half_done ? NULL : counts);

		event->tid = batch->tid;
		event->annot.owner_tid = batch->owner_tid;
		event->annot.tgid = batch->tgid;
		if (batch->is_half_done) {
			event->annot.true_ns = batch->half_done_ns;
			event->annot.span_kind = TRACE_SPAN_WORK;
			event->kind = TRACE_SPAN_BEGIN;
		} else if (set_kind(event, record.op)) {
			event->annot.true_ns = annotation_counts_time(batch->clock.now_ns,
								      record.ago_ns, counts);
			counts->nr_altered += !!(record.flags & ~ANNOT_RECORD_HAS_VALUE);
		} else {
			annotation_counts_add_unreadable(counts);
			continue;
		}
		if (event->kind != TRACE_SPAN_END)
			set_name_and_value(batch, &record, counts, event);
		if (record.op == ANNOT_OP_NEXT && !batch->is_half_done) {
			batch->is_half_done = true;
			batch->half_done_ns = event->annot.true_ns;
		} else {
			batch_step(batch);
		}
		return true;
	}
	return false;
}
