// SPDX-License-Identifier: GPL-2.0
#include "analysis/uncore/uncore.h"

#include <stdlib.h>

#include "util/xalloc.h"

#define NS_PER_S 1e9

static void add_reading(const struct model *model, struct uncore_total *total, size_t row)
{
	const struct uncore_reading_table *readings = &model->uncore_readings;
	double amount = uncore_reading_amount(model, row);
	double per_s = amount * NS_PER_S / (double)readings->lasted_ns[row];

	if (!total->nr_readings || per_s < total->least_per_s)
		total->least_per_s = per_s;
	if (!total->nr_readings || per_s > total->most_per_s) {
		total->most_per_s = per_s;
		total->most_from_ns = readings->start_ns[row];
		total->most_to_ns = readings->end_ns[row];
	}
	total->nr_readings++;
	total->amount += amount;
	total->known_ns += readings->lasted_ns[row];
}

/* Also of readings in which it had no turn. */
static void add_times(const struct model *model, struct uncore_total *totals)
{
	const struct uncore_reading_table *readings = &model->uncore_readings;

	for (size_t row = 0; row < readings->nr; row++) {
		totals[readings->counter[row]].lasted_ns += readings->lasted_ns[row];
		totals[readings->counter[row]].running_ns += readings->running_ns[row];
	}
}

static void add_totals(struct uncore *uncore, const struct model *model,
		       const struct uncore_series *series)
{
	struct uncore_total *totals = xcalloc(model->nr_uncore_counters + 1, sizeof(*totals));

	add_times(model, totals);
	for (size_t i = 0; i < model->nr_uncore_counters; i++) {
		struct uncore_total *total = &totals[uncore->nr_totals];

		*total = totals[i];
		total->counter = (uint32_t)i;
		for (size_t at = 0; at < series[i].nr; at++)
			add_reading(model, total, series[i].rows[at]);
		if (total->known_ns)
			total->per_s = total->amount * NS_PER_S / (double)total->known_ns;
		if (total->lasted_ns)
			uncore->nr_totals++;
	}
	uncore->totals = totals;
}

static struct uncore_amount amount_in_group(const struct model *model,
					    const struct regions *regions,
					    const struct region_group *group,
					    const struct uncore_series *series)
{
	struct uncore_amount sum = { 0 };

	for (size_t row = group->first; row != NO_REGION; row = regions->rows[row].next_of_group) {
		const struct region *region = &regions->rows[row];
		struct uncore_amount part = uncore_series_between(series, model, region->from_ns,
								  region->to_ns);

		uncore_amount_add(&sum, &part);
	}
	return sum;
}

static void add_regions(struct uncore *uncore, const struct model *model,
			const struct regions *regions, const struct uncore_series *series)
{
	uncore->regions = xcalloc(regions->nr_groups * uncore->nr_totals + 1,
				  sizeof(*uncore->regions));
	for (size_t group = 0; group < regions->nr_groups; group++) {
		for (size_t i = 0; i < uncore->nr_totals; i++) {
			uint32_t counter = uncore->totals[i].counter;

			uncore->regions[uncore->nr_regions++] = (struct uncore_region){
				.group = group,
				.counter = counter,
				.amount = amount_in_group(model, regions, &regions->groups[group],
							  &series[counter]),
				.elapsed_ns = regions->groups[group].elapsed_ns,
			};
		}
	}
}

struct uncore uncore_compute(const struct model *model, const struct regions *regions)
{
	struct uncore_series *series = uncore_series_new(model);
	struct uncore uncore = { 0 };

	add_totals(&uncore, model, series);
	add_regions(&uncore, model, regions, series);
	uncore_series_free(series, model);
	return uncore;
}

void uncore_free(struct uncore *uncore)
{
	free(uncore->totals);
	free(uncore->regions);
	*uncore = (struct uncore){ 0 };
}
