// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/sample_misses.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>

#include <uapi/annot.h>

#include "analysis/events/event_rates.h"
#include "analysis/memory/data_level.h"
#include "util/xalloc.h"

/* Of an event. */
struct sample_numbers {
	uint64_t nr;
	uint64_t nr_missing_loads;
};

static bool is_by_ratio(const struct sample_misses *misses, size_t sample)
{
	return misses->model->pmu_events[misses->model->samples.event[sample]].by_ratio;
}

bool sample_misses_came_from_beyond(const struct sample_misses *misses, size_t sample)
{
	const struct sample_table *samples = &misses->model->samples;

	if (!is_by_ratio(misses, sample))
		return misses->levels[samples->event[sample]] >= MISS_L1;
	return samples->has[sample] & ANNOT_SAMPLE_HAS_DATA_SRC &&
	       data_level_is_beyond_l1(samples->data_src[sample]);
}

bool sample_misses_is_load(const struct sample_misses *misses, size_t sample)
{
	const struct sample_table *samples = &misses->model->samples;

	if (!is_by_ratio(misses, sample))
		return misses->levels[samples->event[sample]] == MISS_L1;
	return sample_misses_came_from_beyond(misses, sample) &&
	       samples->data_src[sample] & PERF_MEM_OP_LOAD << PERF_MEM_OP_SHIFT;
}

double sample_misses_number(const struct sample_misses *misses, size_t sample)
{
	const struct sample_table *samples = &misses->model->samples;

	return is_by_ratio(misses, sample) ? misses->each[samples->event[sample]] :
					     (double)samples->period[sample];
}

double sample_misses_instructions(const struct model *model, size_t event,
				  const struct event_figures *figures, uint64_t nr_samples)
{
	const struct pmu_event *row = &model->pmu_events[event];
	size_t counter = event_instructions_beside(model, event, figures);

	if (!row->by_ratio || row->is_filtered || counter == SIZE_MAX || !nr_samples)
		return NAN;
	return figures[counter].count / (double)nr_samples;
}

/* By the event of L1 misses of the same modes; counted rather than sampled. */
static double misses_of_counter(const struct sample_misses *misses, size_t event,
				const struct event_figures *figures)
{
	const struct pmu_event *rows = misses->model->pmu_events;
	double found = NAN;

	for (size_t i = 0; i < misses->model->nr_pmu_events; i++) {
		if (misses->levels[i] == MISS_L1 && figures[i].measured && !rows[i].by_ratio &&
		    rows[i].user == rows[event].user && rows[i].kernel == rows[event].kernel &&
		    (isnan(found) || rows[i].is_counted))
			found = figures[i].count;
	}
	return found;
}

static double misses_of_each(const struct sample_misses *misses, size_t event,
			     const struct event_figures *figures,
			     const struct sample_numbers *numbers)
{
	double each = sample_misses_instructions(misses->model, event, figures, numbers->nr);

	if (!isnan(each) || misses->model->pmu_events[event].is_filtered ||
	    !numbers->nr_missing_loads)
		return each;
	return misses_of_counter(misses, event, figures) / (double)numbers->nr_missing_loads;
}

struct sample_misses sample_misses_compute(const struct model *model,
					   const struct task_stats *stats)
{
	struct sample_misses misses = { .model = model, .levels = miss_levels_of_model(model) };
	struct sample_numbers *numbers = xcalloc(model->nr_pmu_events, sizeof(*numbers));

	for (size_t sample = 0; sample < model->samples.nr; sample++) {
		struct sample_numbers *own = &numbers[model->samples.event[sample]];

		own->nr++;
		own->nr_missing_loads += sample_misses_is_load(&misses, sample);
	}
	misses.each = xcalloc(model->nr_pmu_events, sizeof(*misses.each));
	for (size_t event = 0; event < model->nr_pmu_events; event++)
		misses.each[event] = misses_of_each(&misses, event, stats->events, &numbers[event]);
	free(numbers);
	return misses;
}

void sample_misses_free(struct sample_misses *misses)
{
	free(misses->levels);
	free(misses->each);
}
