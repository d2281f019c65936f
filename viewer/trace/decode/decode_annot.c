// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_annot.h"

#include <string.h>

#include "trace/annotations/annotation_counts.h"
#include "trace/annotations/atrace.h"
#include "trace/annotations/batch_words.h"
#include "trace/decode/decode_kernel.h"
#include "trace/decode/decode_pmu.h"
#include "trace/decode/fields.h"
#include "trace/lines/group_line.h"
#include "trace/lines/machine_line.h"
#include "trace/lines/mapping_line.h"
#include "trace/lines/pages_line.h"
#include "trace/lines/pmu_config.h"
#include "trace/lines/uncore_line.h"

#define NAMELESS_SPAN "(no name)"

/* The time when it was made. A module without rings has no field for its age. */
static uint64_t true_time(const struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record)
{
	if (!layout->has_optionals)
		return record->time_ns;
	return annotation_counts_time(record->time_ns,
				      field_get_unsigned(decoder, &layout->optionals[0], record),
				      decoder->counts);
}

bool decode_annot_end(struct decoder *decoder, const struct event_layout *layout,
		      const struct raw_record *record, struct trace_event *event)
{
	event->kind = TRACE_SPAN_END;
	event->annot.tgid = field_get_i32(decoder, &layout->fields[0], record);
	event->annot.true_ns = true_time(decoder, layout, record);
	return true;
}

static uint32_t get_name(const struct decoder *decoder, const struct field_position *field,
			 const struct raw_record *record)
{
	size_t bytes;
	const char *name = field_get_bytes(decoder, field, record, &bytes);

	return annotation_names_intern(decoder->annotation_names, name, bytes);
}

/* Begin, mark and counter have these three in common, in this order. */
static void decode_annot(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	event->annot.name = get_name(decoder, &field[0], record);
	event->annot.value = (int64_t)field_get_unsigned(decoder, &field[1], record);
	event->annot.tgid = field_get_i32(decoder, &field[2], record);
	event->annot.true_ns = true_time(decoder, layout, record);
}

bool decode_annot_begin(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	decode_annot(decoder, layout, record, event);
	event->kind = TRACE_SPAN_BEGIN;
	event->annot.has_value = field_get_unsigned(decoder, &layout->fields[3], record);
	event->annot.span_kind = field_get_unsigned(decoder, &layout->fields[4], record) ?
					 TRACE_SPAN_WAIT :
					 TRACE_SPAN_WORK;
	return true;
}

bool decode_annot_mark(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	decode_annot(decoder, layout, record, event);
	event->kind = TRACE_MARK;
	event->annot.has_value = field_get_unsigned(decoder, &layout->fields[3], record);
	return true;
}

bool decode_annot_counter(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	decode_annot(decoder, layout, record, event);
	event->kind = TRACE_COUNTER;
	event->annot.has_value = true;
	return true;
}

bool decode_annot_batch(struct decoder *decoder, const struct event_layout *layout,
			const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;
	struct batch *batch = &decoder->batch;
	size_t bytes;
	const char *words = field_get_bytes(decoder, &field[3], record, &bytes);

	*batch = (struct batch){
		.swap = decoder->swap,
		.clock.now_ns = record->time_ns,
		.names = decoder->names,
		.tid = event->tid,
		.tgid = field_get_i32(decoder, &field[0], record),
		.table = (uint32_t)field_get_unsigned(decoder, &field[1], record),
	};
	batch_begin(batch, words, bytes, (uint32_t)field_get_unsigned(decoder, &field[2], record),
		    decoder->counts);
	decode_batch_counts_begin(decoder, layout, record);
	return decode_batch_counts_next(decoder, event) ||
	       batch_next(batch, decoder->counts, event);
}

bool decode_annot_name(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;

	(void)event;
	name_table_set(decoder->names, (uint32_t)field_get_unsigned(decoder, &field[1], record),
		       (uint32_t)field_get_unsigned(decoder, &field[0], record),
		       get_name(decoder, &field[2], record));
	return false;
}

static enum trace_annotation_loss loss_of_reason(uint64_t reason)
{
	switch (reason) {
	case ANNOT_LOST_BAD_HEAD:
		return TRACE_ANNOTATION_BAD_HEAD;
	case ANNOT_LOST_BAD_OP:
		return TRACE_ANNOTATION_BAD_OP;
	case ANNOT_LOST_BAD_NAME:
		return TRACE_ANNOTATION_BAD_NAME;
	case ANNOT_LOST_AT_EXEC:
		return TRACE_ANNOTATION_AT_EXEC;
	case ANNOT_LOST_NO_CLOCK:
		return TRACE_ANNOTATION_NO_CLOCK;
	case ANNOT_LOST_DROPPED:
		return TRACE_ANNOTATION_DROPPED;
	default:
		return TRACE_ANNOTATION_OTHER;
	}
}

bool decode_annot_lost(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	struct trace_annotation_counts *counts = decoder->counts;
	uint64_t nr = field_get_unsigned(decoder, &layout->fields[0], record);
	uint64_t reason = field_get_unsigned(decoder, &layout->fields[1], record);

	(void)event;
	if (reason == ANNOT_LOST_BAD_TIME)
		counts->nr_altered += nr;
	else
		annotation_counts_add_lost(counts, loss_of_reason(reason), nr);
	return false;
}

bool decode_annot_config(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	uint32_t text = field_get_string(decoder, &layout->fields[0], record);
	const char *string = string_table_get(decoder->strings, text);

	if (pmu_config_is(string))
		return pmu_config_parse(string, text, decoder->strings, event) ||
		       decode_damaged(decoder, TRACE_DAMAGED_PMU_EVENT);
	event->kind = TRACE_CONFIG;
	event->config.text = text;
	return true;
}

bool decode_raw_data(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *id = &layout->fields[0];
	struct raw_data data = {
		.bytes = record->data + id->offset,
		.nr_bytes = record->size - id->offset,
		.time_ns = record->time_ns,
		.tid = event->tid,
		.swap = decoder->swap,
		.is_mono = decoder->is_mono,
	};

	return raw_reader_read(decoder->raw, &data, &decoder->batch) &&
	       batch_next(&decoder->batch, decoder->counts, event);
}

static bool decode_mapping(struct decoder *decoder, const struct raw_record *record,
			   struct scan_text text, struct trace_event *event)
{
	struct mapping_line_time written = { record->time_ns, decoder->is_mono };

	return mapping_line_parse(text, written, decoder->strings, event) ||
	       decode_damaged(decoder, TRACE_DAMAGED_MAPPING);
}

static bool decode_pages(struct decoder *decoder, const struct raw_record *record,
			 struct scan_text text, struct trace_event *event)
{
	return pages_line_parse(text, record->time_ns, event) ||
	       decode_damaged(decoder, TRACE_DAMAGED_MAPPING);
}

static bool decode_place(struct decoder *decoder, struct scan_text text, struct trace_event *event)
{
	return cpu_topology_parse(text, decoder->caches, event) ||
	       decode_damaged(decoder, TRACE_DAMAGED_CPU_TOPOLOGY);
}

static bool decode_uncore(struct decoder *decoder, struct scan_text text, struct trace_event *event)
{
	return uncore_line_parse(text, decoder->strings, decoder->uncore_counts, event) ||
	       decode_damaged(decoder, TRACE_DAMAGED_UNCORE);
}

/* Of another clock than the trace's, the times say nothing. */
static bool decode_group(struct decoder *decoder, const struct raw_record *record,
			 struct scan_text text, struct trace_event *event)
{
	return (decoder->is_mono &&
		group_line_parse(text, record->time_ns, decoder->strings, event)) ||
	       decode_damaged(decoder, TRACE_DAMAGED_SLICE_COUNTS);
}

bool decode_print(struct decoder *decoder, const struct event_layout *layout,
		  const struct raw_record *record, struct trace_event *event)
{
	struct atrace atrace;
	size_t bytes;
	const char *text = field_get_bytes(decoder, &layout->fields[0], record, &bytes);

	bytes = strnlen(text, bytes);
	if (atrace_session(text, bytes, &event->session.tgid, &event->session.tid)) {
		event->kind = TRACE_SESSION;
		if (!event->session.tid)
			event->session.tid = event->tid;
		return true;
	}
	if (mapping_line_is(text, bytes))
		return decode_mapping(decoder, record, (struct scan_text){ text, text + bytes },
				      event);
	if (pages_line_is(text, bytes))
		return decode_pages(decoder, record, (struct scan_text){ text, text + bytes },
				    event);
	if (cpu_topology_is_line(text, bytes))
		return decode_place(decoder, (struct scan_text){ text, text + bytes }, event);
	if (machine_line_is(text, bytes)) {
		machine_line_parse(text, bytes, decoder->strings, event);
		return true;
	}
	if (uncore_line_is(text, bytes))
		return decode_uncore(decoder, (struct scan_text){ text, text + bytes }, event);
	if (group_line_is(text, bytes))
		return decode_group(decoder, record, (struct scan_text){ text, text + bytes },
				    event);
	/* A line of another program. */
	if (!atrace_parse(text, bytes, &atrace))
		return decode_kernel_line(decoder, text, bytes, record, event);
	switch (atrace.type) {
	case 'B':
		event->kind = TRACE_SPAN_BEGIN;
		break;
	case 'E':
		event->kind = TRACE_SPAN_END;
		break;
	case 'I':
		event->kind = TRACE_MARK;
		break;
	default:
		event->kind = TRACE_COUNTER;
		break;
	}
	event->annot.name = annotation_names_intern(decoder->annotation_names, atrace.name,
						    atrace.name_bytes);
	if (event->kind == TRACE_SPAN_BEGIN && !event->annot.name)
		event->annot.name = string_table_intern(decoder->strings, NAMELESS_SPAN,
							strlen(NAMELESS_SPAN));
	event->annot.span_kind = atrace.is_wait ? TRACE_SPAN_WAIT : TRACE_SPAN_WORK;
	event->annot.has_value = atrace.has_value;
	event->annot.value = atrace.value;
	event->annot.tgid = atrace.tgid;
	event->annot.true_ns = record->time_ns;
	return true;
}
