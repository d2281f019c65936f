// SPDX-License-Identifier: GPL-2.0
/*
 * What was measured: samples, counts of slices, and what became of the counters.
 */
#include <uapi/annot.h>

#include "trace/decode_internal.h"

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

bool decode_annot_sample(struct decoder *decoder, const struct layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	const struct field_place *field = layout->fields;
	uint64_t index = get_unsigned(decoder, &field[SAMPLE_EVENT], record);
	uint64_t precise = get_unsigned(decoder, &field[SAMPLE_PRECISE], record);
	uint64_t has = get_unsigned(decoder, &field[SAMPLE_HAS], record) & KNOWN_SAMPLE_BITS;
	int nr_regs = get_words(decoder, &field[SAMPLE_REGS], record);

	event->kind = TRACE_SAMPLE;
	event->sample.period = get_unsigned(decoder, &field[SAMPLE_PERIOD], record);
	if (index >= ANNOT_EVENTS_MAX || precise > TRACE_MAX_PRECISE || !event->sample.period ||
	    nr_regs < 0 || !(has & ANNOT_SAMPLE_HAS_REGISTERS) != !nr_regs)
		return decode_damaged(decoder, TRACE_DAMAGED_SAMPLE);
	event->sample.event = (uint8_t)index;
	event->sample.precise = (uint8_t)precise;
	event->sample.has = (uint8_t)has;
	event->sample.ip = get_unsigned(decoder, &field[SAMPLE_IP], record);
	event->sample.addr = 0;
	event->sample.weight = 0;
	event->sample.data_src = 0;
	if (has & ANNOT_SAMPLE_HAS_ADDR)
		event->sample.addr = get_unsigned(decoder, &field[SAMPLE_ADDR], record);
	if (has & ANNOT_SAMPLE_HAS_WEIGHT)
		event->sample.weight = get_unsigned(decoder, &field[SAMPLE_WEIGHT], record);
	if (has & ANNOT_SAMPLE_HAS_DATA_SRC)
		event->sample.data_src = get_unsigned(decoder, &field[SAMPLE_DATA_SRC], record);
	event->sample.regs = decoder->words;
	event->sample.nr_regs = (uint32_t)nr_regs;
	return true;
}

bool decode_annot_slice_counts(struct decoder *decoder, const struct layout *layout,
			       const struct raw_record *record, struct trace_event *event)
{
	const struct field_place *field = layout->fields;
	uint64_t nr = get_unsigned(decoder, &field[0], record);
	uint64_t invalid = get_unsigned(decoder, &field[1], record);
	uint64_t until = get_unsigned(decoder, &field[2], record);
	int nr_words = get_words(decoder, &field[3], record);

	event->kind = TRACE_SLICE_COUNTS;
	if (!nr || nr > ANNOT_EVENTS_MAX || (int)nr != nr_words || invalid >> nr)
		return decode_damaged(decoder, TRACE_DAMAGED_SLICE_COUNTS);
	event->counts.counts = decoder->words;
	event->counts.nr = (uint32_t)nr;
	event->counts.invalid = (uint32_t)invalid;
	event->counts.until = until > ANNOT_COUNTED_TO_END ? ANNOT_COUNTED_SLICE : (uint8_t)until;
	return true;
}

bool decode_annot_pmu_state(struct decoder *decoder, const struct layout *layout,
			    const struct raw_record *record, struct trace_event *event)
{
	const struct field_place *field = layout->fields;
	uint64_t index = get_unsigned(decoder, &field[1], record);
	uint64_t state = get_unsigned(decoder, &field[2], record);

	event->kind = TRACE_PMU_STATE;
	if (index >= ANNOT_EVENTS_MAX)
		return decode_damaged(decoder, TRACE_DAMAGED_PMU_STATE);
	event->pmu.value = get_unsigned(decoder, &field[0], record);
	event->pmu.event = (uint8_t)index;
	event->pmu.state = (uint8_t)state;
	/* States of newer modules are nothing that this one could show. */
	return state <= ANNOT_PMU_ENOUGH;
}
