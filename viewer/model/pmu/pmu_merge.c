// SPDX-License-Identifier: GPL-2.0
#include "model/pmu/pmu_merge.h"

#include "model/window/permutation.h"
#include "model/window/table_copy.h"
#include "util/spill/spill.h"

static void move_counts(struct slice_count_table *counts, size_t first, uint32_t from, uint32_t to)
{
	for (size_t i = first; i < counts->nr; i++) {
		uint64_t *row = counts->counts + i * counts->nr_counters;
		bool is_whole = !(counts->invalid[i] & 1u << from);

		if (!is_whole && !row[from])
			continue;
		row[to] = row[from];
		if (is_whole)
			counts->invalid[i] &= ~(1u << to);
	}
}

/* Moves the following ones up. */
static void remove_counter(struct slice_count_table *counts, uint32_t counter)
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

void pmu_merge_counts(struct model *model, const struct pmu_build *pmu, size_t first)
{
	for (uint32_t i = 0; i < pmu->nr_pairs; i++)
		move_counts(&model->slice_counts, first,
			    model->pmu_events[pmu->pairs[i].made_up].counter,
			    model->pmu_events[pmu->pairs[i].told].counter);
}

void pmu_merge_all(struct model *model, const struct pmu_build *pmu, bool keep)
{
	pmu_merge_counts(model, pmu, 0);
	/* The last one first, so that the others keep their places. */
	for (uint32_t i = pmu->nr_pairs; i-- > 0;) {
		if (keep)
			model->pmu_events[pmu->pairs[i].made_up].is_merged = true;
		else
			remove_event(model, pmu->pairs[i].made_up);
	}
}

static bool is_sorted(const struct slice_count_table *counts)
{
	for (size_t i = 1; i < counts->nr; i++) {
		if (counts->end_ns[i] < counts->end_ns[i - 1])
			return false;
	}
	return true;
}

void pmu_sort_counts(struct slice_count_table *counts)
{
	size_t *rows;

	if (is_sorted(counts))
		return;
	rows = permutation_by(counts->end_ns, counts->nr);
	slice_count_table_permute(counts, rows);
	spill_free(rows);
}

void pmu_sort_counts_from(struct slice_count_table *counts, size_t first)
{
	struct slice_count_table last = { .nr_counters = counts->nr_counters };

	slice_count_table_copy(&last, counts, first, counts->nr - first);
	pmu_sort_counts(&last);
	counts->nr = first;
	slice_count_table_copy(counts, &last, 0, last.nr);
	slice_count_table_free(&last);
}
