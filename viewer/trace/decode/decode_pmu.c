// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_pmu.h"

#include <uapi/annot.h>

#include "trace/decode/fields.h"

/* Bits of newer modules are nothing that this one could show. */
#define KNOWN_SAMPLE_BITS                                                              \
	(ANNOT_SAMPLE_HAS_ADDR | ANNOT_SAMPLE_HAS_WEIGHT | ANNOT_SAMPLE_HAS_DATA_SRC | \
	 ANNOT_SAMPLE_HAS_REGISTERS | ANNOT_SAMPLE_USER | ANNOT_SAMPLE_HIDDEN)

/* The fields of annot_sample, in the order of its spec. */
enum sample_field {
	SAMPLE_IP,
	SAMPLE_ADDR,
	SAMPLE_WEIGHT,
	SAMPLE_DATA_SRC,
	SAMPLE_PERIOD,
	SAMPLE_REGS,
	SAMPLE_EVENT,
	SAMPLE_PRECISE,
	SAMPLE_HAS,
};

bool decode_annot_sample(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;
	uint64_t index = field_get_unsigned(decoder, &field[SAMPLE_EVENT], record);
	uint64_t precise = field_get_unsigned(decoder, &field[SAMPLE_PRECISE], record);
	uint64_t has = field_get_unsigned(decoder, &field[SAMPLE_HAS], record) & KNOWN_SAMPLE_BITS;
	int nr_regs = field_get_words(decoder, &field[SAMPLE_REGS], record);

	event->kind = TRACE_SAMPLE;
	event->sample.period = field_get_unsigned(decoder, &field[SAMPLE_PERIOD], record);
	if (index >= ANNOT_EVENTS_MAX || precise > TRACE_MAX_PRECISE || !event->sample.period ||
	    nr_regs < 0 || nr_regs > MAX_REGISTERS ||
	    !(has & ANNOT_SAMPLE_HAS_REGISTERS) != !nr_regs)
		return decode_damaged(decoder, TRACE_DAMAGED_SAMPLE);
	event->sample.event = (uint8_t)index;
	event->sample.precise = (uint8_t)precise;
	event->sample.has = (uint8_t)has;
	event->sample.ip = field_get_unsigned(decoder, &field[SAMPLE_IP], record);
	event->sample.addr = 0;
	event->sample.weight = 0;
	event->sample.data_src = 0;
	if (has & ANNOT_SAMPLE_HAS_ADDR)
		event->sample.addr = field_get_unsigned(decoder, &field[SAMPLE_ADDR], record);
	if (has & ANNOT_SAMPLE_HAS_WEIGHT)
		event->sample.weight = field_get_unsigned(decoder, &field[SAMPLE_WEIGHT], record);
	if (has & ANNOT_SAMPLE_HAS_DATA_SRC)
		event->sample.data_src = field_get_unsigned(decoder, &field[SAMPLE_DATA_SRC],
							    record);
	event->sample.stack = 0;
	if (layout->has_optionals)
		event->sample.stack =
			stack_table_use(decoder->stacks,
					(uint32_t)field_get_unsigned(decoder, &layout->optionals[0],
								     record));
	event->sample.regs = decoder->words;
	event->sample.nr_regs = (uint32_t)nr_regs;
	return true;
}

/* @nr of decoder->words. */
static bool take_counts(struct decoder *decoder, int nr, uint64_t invalid, uint8_t ended_by,
			struct trace_event *event)
{
	event->kind = TRACE_SLICE_COUNTS;
	if (nr <= 0 || nr > ANNOT_EVENTS_MAX || invalid >> nr)
		return decode_damaged(decoder, TRACE_DAMAGED_SLICE_COUNTS);
	event->counts.counts = decoder->words;
	event->counts.nr = (uint32_t)nr;
	event->counts.invalid = (uint32_t)invalid;
	event->counts.ended_by = ended_by;
	return true;
}

bool decode_annot_slice_counts(struct decoder *decoder, const struct event_layout *layout,
			       const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;
	uint64_t nr = field_get_unsigned(decoder, &field[0], record);
	uint64_t invalid = field_get_unsigned(decoder, &field[1], record);
	uint64_t ended_by = field_get_unsigned(decoder, &field[2], record);
	int nr_words = field_get_words(decoder, &field[3], record);

	event->counts.in_batch = false;
	if (ended_by > ANNOT_ENDED_BY_END)
		ended_by = ANNOT_ENDED_BY_SWITCH;
	return take_counts(decoder, nr == (uint64_t)nr_words ? nr_words : -1, invalid,
			   (uint8_t)ended_by, event);
}

void decode_batch_counts_begin(struct decoder *decoder, const struct event_layout *layout,
			       const struct raw_record *record)
{
	struct batch *batch = &decoder->batch;
	struct batch_counts *counts = &batch->counts;
	size_t bytes;

	if (!layout->has_optionals || batch_is_over(batch))
		return;
	*counts = (struct batch_counts){
		.words = (const uint8_t *)field_get_bytes(decoder, &layout->optionals[0], record,
							  &bytes),
		.nr = (uint32_t)field_get_unsigned(decoder, &layout->optionals[1], record),
		.invalid = (uint32_t)field_get_unsigned(decoder, &layout->optionals[2], record),
		.nr_records = batch->nr_left,
	};
	if (counts->nr <= ANNOT_EVENTS_MAX &&
	    bytes == (size_t)counts->nr * counts->nr_records * sizeof(uint64_t))
		return;
	counts->nr = 0;
	decode_damaged(decoder, TRACE_DAMAGED_SLICE_COUNTS);
}

bool decode_batch_counts_next(struct decoder *decoder, struct trace_event *event)
{
	const struct batch *batch = &decoder->batch;
	struct batch_counts *counts = &decoder->batch.counts;
	const uint8_t *words;

	if (!counts->nr || batch_is_over(batch) || batch->is_half_done ||
	    counts->returned_at == batch->nr_left)
		return false;
	counts->returned_at = batch->nr_left;
	words = counts->words +
		(size_t)(counts->nr_records - batch->nr_left) * counts->nr * sizeof(uint64_t);
	for (uint32_t i = 0; i < counts->nr; i++)
		decoder->words[i] = load_u64(words + i * sizeof(uint64_t), decoder->swap);
	event->tid = batch->tid;
	event->counts.in_batch = true;
	return take_counts(decoder, (int)counts->nr, counts->invalid, ANNOT_ENDED_BY_END, event);
}

bool decode_annot_pmu_state(struct decoder *decoder, const struct event_layout *layout,
			    const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *field = layout->fields;
	uint64_t index = field_get_unsigned(decoder, &field[1], record);
	uint64_t state = field_get_unsigned(decoder, &field[2], record);

	event->kind = TRACE_PMU_STATE;
	if (index >= ANNOT_EVENTS_MAX)
		return decode_damaged(decoder, TRACE_DAMAGED_PMU_STATE);
	event->pmu.value = field_get_unsigned(decoder, &field[0], record);
	event->pmu.event = (uint8_t)index;
	event->pmu.state = (uint8_t)state;
	/* States of newer modules are nothing that this one could show. */
	return state <= ANNOT_PMU_LIMIT_REACHED;
}
