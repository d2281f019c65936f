// SPDX-License-Identifier: GPL-2.0
/*
 * Columns of what was measured.
 */
#include <stdlib.h>
#include <string.h>

#include "model/columns.h"
#include "util/xalloc.h"

/* first_reg has an element more than there are samples. */
static void add_registers(struct sample_column *samples, const uint64_t *regs, uint32_t nr)
{
	size_t at = samples->nr, end;

	if (!at) {
		samples->first_reg = column_grow(samples->first_reg, 0,
						 sizeof(*samples->first_reg));
		samples->first_reg[0] = 0;
	} else if (column_is_full(at + 1)) {
		samples->first_reg = column_grow(samples->first_reg, at + 1,
						 sizeof(*samples->first_reg));
	}
	end = samples->first_reg[at];
	for (uint32_t i = 0; i < nr; i++, end++) {
		if (column_is_full(end))
			samples->regs = column_grow(samples->regs, end, sizeof(*samples->regs));
		samples->regs[end] = regs[i];
	}
	samples->first_reg[at + 1] = end;
}

void samples_add(struct sample_column *samples, uint64_t time_ns, uint32_t thread,
		 uint8_t pmu_event, const struct trace_event *sample)
{
	size_t at = samples->nr;

	if (column_is_full(at)) {
		GROW(samples, time_ns);
		GROW(samples, thread);
		GROW(samples, cpu);
		GROW(samples, event);
		GROW(samples, has);
		GROW(samples, precise);
		GROW(samples, period);
		GROW(samples, ip);
		GROW(samples, addr);
		GROW(samples, weight);
		GROW(samples, data_src);
	}
	samples->time_ns[at] = time_ns;
	samples->thread[at] = thread;
	samples->cpu[at] = (int16_t)sample->cpu;
	samples->event[at] = pmu_event;
	samples->has[at] = sample->sample.has;
	samples->precise[at] = sample->sample.precise;
	samples->period[at] = sample->sample.period;
	samples->ip[at] = sample->sample.ip;
	samples->addr[at] = sample->sample.addr;
	samples->weight[at] = sample->sample.weight;
	samples->data_src[at] = sample->sample.data_src;
	add_registers(samples, sample->sample.regs, sample->sample.nr_regs);
	samples->nr++;
}

uint64_t *slice_counts_add(struct slice_count_column *counts, uint64_t start_ns, uint64_t end_ns,
			   uint32_t thread, int cpu)
{
	size_t at = counts->nr, row_bytes = counts->nr_counters * sizeof(*counts->counts);
	uint64_t *row;

	if (column_is_full(at)) {
		GROW(counts, start_ns);
		GROW(counts, end_ns);
		GROW(counts, thread);
		GROW(counts, cpu);
		GROW(counts, invalid);
		counts->counts = column_grow(counts->counts, at, row_bytes);
	}
	counts->start_ns[at] = start_ns;
	counts->end_ns[at] = end_ns;
	counts->thread[at] = thread;
	counts->cpu[at] = (int16_t)cpu;
	counts->invalid[at] = (uint32_t)((1ull << counts->nr_counters) - 1);
	row = counts->counts + at * counts->nr_counters;
	memset(row, 0, row_bytes);
	counts->nr++;
	return row;
}

void slice_counts_widen(struct slice_count_column *counts)
{
	uint32_t width = counts->nr_counters++;
	size_t capacity = 4;
	uint64_t *wider;

	if (!counts->nr)
		return;
	while (capacity < counts->nr)
		capacity *= 2;
	wider = xcalloc(capacity, (width + 1) * sizeof(*wider));
	for (size_t i = 0; i < counts->nr; i++) {
		memcpy(wider + i * (width + 1), counts->counts + i * width, width * sizeof(*wider));
		counts->invalid[i] |= 1u << width;
	}
	free(counts->counts);
	counts->counts = wider;
}

void pmu_gaps_add(struct pmu_gap_column *gaps, uint64_t start_ns, uint64_t end_ns, int cpu,
		  uint8_t pmu_event, uint8_t state)
{
	size_t at = gaps->nr;

	if (column_is_full(at)) {
		GROW(gaps, start_ns);
		GROW(gaps, end_ns);
		GROW(gaps, cpu);
		GROW(gaps, event);
		GROW(gaps, state);
	}
	gaps->start_ns[at] = start_ns;
	gaps->end_ns[at] = end_ns;
	gaps->cpu[at] = (int16_t)cpu;
	gaps->event[at] = pmu_event;
	gaps->state[at] = state;
	gaps->nr++;
}

void mappings_add(struct mapping_column *mappings, uint64_t time_ns,
		  const struct trace_event *mapping)
{
	size_t at = mappings->nr;

	if (column_is_full(at)) {
		GROW(mappings, time_ns);
		GROW(mappings, tgid);
		GROW(mappings, start);
		GROW(mappings, length);
		GROW(mappings, offset_bytes);
		GROW(mappings, path);
		GROW(mappings, build_id);
	}
	mappings->time_ns[at] = time_ns;
	mappings->tgid[at] = mapping->mapping.tgid;
	mappings->start[at] = mapping->mapping.start;
	mappings->length[at] = mapping->mapping.length;
	mappings->offset_bytes[at] = mapping->mapping.offset_bytes;
	mappings->path[at] = mapping->mapping.path;
	mappings->build_id[at] = mapping->mapping.build_id;
	mappings->nr++;
}

void samples_free(struct sample_column *samples)
{
	free(samples->time_ns);
	free(samples->thread);
	free(samples->cpu);
	free(samples->event);
	free(samples->has);
	free(samples->precise);
	free(samples->period);
	free(samples->ip);
	free(samples->addr);
	free(samples->weight);
	free(samples->data_src);
	free(samples->first_reg);
	free(samples->regs);
}

void slice_counts_free(struct slice_count_column *counts)
{
	free(counts->start_ns);
	free(counts->end_ns);
	free(counts->thread);
	free(counts->cpu);
	free(counts->invalid);
	free(counts->counts);
}

void pmu_gaps_free(struct pmu_gap_column *gaps)
{
	free(gaps->start_ns);
	free(gaps->end_ns);
	free(gaps->cpu);
	free(gaps->event);
	free(gaps->state);
}

void mappings_free(struct mapping_column *mappings)
{
	free(mappings->time_ns);
	free(mappings->tgid);
	free(mappings->start);
	free(mappings->length);
	free(mappings->offset_bytes);
	free(mappings->path);
	free(mappings->build_id);
}
