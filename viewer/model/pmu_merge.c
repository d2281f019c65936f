// SPDX-License-Identifier: GPL-2.0
/*
 * Counts that came before the trace told what was counted, under the names that it then told.
 */
#include "model/pmu.h"

#include "model/builder.h"

static void move_counts(struct slice_count_column *counts, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < counts->nr; i++) {
		uint64_t *row = counts->counts + i * counts->nr_counters;

		/* Both are set where neither has counted the whole slice. */
		if (!(counts->invalid[i] & 1u << to))
			continue;
		row[to] = row[from];
		if (!(counts->invalid[i] & 1u << from))
			counts->invalid[i] &= ~(1u << to);
	}
}

/* Those behind it move up. */
static void remove_counter(struct slice_count_column *counts, uint32_t counter)
{
	uint32_t width = counts->nr_counters--, below = (1u << counter) - 1;
	uint64_t *to = counts->counts;

	for (size_t i = 0; i < counts->nr; i++) {
		uint32_t invalid = counts->invalid[i];

		for (uint32_t j = 0; j < width; j++) {
			if (j != counter)
				*to++ = counts->counts[i * width + j];
		}
		counts->invalid[i] = (invalid & below) | (invalid >> 1 & ~below);
	}
}

static void remove_event(struct model *model, uint8_t event)
{
	uint32_t counter = model->pmu_events[event].counter;

	model->nr_pmu_events--;
	for (size_t i = event; i < model->nr_pmu_events; i++)
		model->pmu_events[i] = model->pmu_events[i + 1];
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		struct pmu_event *row = &model->pmu_events[i];

		row->counter -= row->is_counted && row->counter > counter;
	}
	for (size_t i = 0; i < model->samples.nr; i++)
		model->samples.event[i] -= model->samples.event[i] > event;
	for (size_t i = 0; i < model->pmu_gaps.nr; i++)
		model->pmu_gaps.event[i] -= model->pmu_gaps.event[i] > event;
	remove_counter(&model->slice_counts, counter);
}

void pmu_merge_made_up(struct model *model, struct pmu_build *pmu)
{
	uint32_t nr = pmu->nr_told < pmu->nr_made_up ? pmu->nr_told : pmu->nr_made_up;

	for (uint32_t i = 0; i < nr; i++)
		move_counts(&model->slice_counts, model->pmu_events[pmu->made_up[i]].counter,
			    model->pmu_events[pmu->told[i]].counter);
	/* The last one first, so that the others keep their places. */
	for (uint32_t i = nr; i-- > 0;)
		remove_event(model, pmu->made_up[i]);
}
