// SPDX-License-Identifier: GPL-2.0
#include "analysis/uncore/uncore_series.h"

#include <stdlib.h>

#include "util/lower_bound.h"
#include "util/xalloc.h"

static bool is_known(const struct model *model, size_t row)
{
	return model->uncore_readings.running_ns[row] &&
	       model->uncore_readings.counter[row] < model->nr_uncore_counters;
}

/* Each gets room for its own, and is filled behind that. */
static void make_room(const struct model *model, struct uncore_series *series)
{
	for (size_t row = 0; row < model->uncore_readings.nr; row++) {
		if (is_known(model, row))
			series[model->uncore_readings.counter[row]].nr++;
	}
	for (size_t i = 0; i < model->nr_uncore_counters; i++) {
		series[i].rows = xcalloc(series[i].nr + 1, sizeof(*series[i].rows));
		series[i].nr = 0;
	}
}

struct uncore_series *uncore_series_new(const struct model *model)
{
	struct uncore_series *series = xcalloc(model->nr_uncore_counters + 1, sizeof(*series));

	make_room(model, series);
	for (size_t row = 0; row < model->uncore_readings.nr; row++) {
		struct uncore_series *own;

		if (!is_known(model, row))
			continue;
		own = &series[model->uncore_readings.counter[row]];
		own->rows[own->nr++] = row;
	}
	return series;
}

void uncore_series_free(struct uncore_series *series, const struct model *model)
{
	for (size_t i = 0; i < model->nr_uncore_counters; i++)
		free(series[i].rows);
	free(series);
}

double uncore_reading_amount(const struct model *model, size_t row)
{
	const struct uncore_reading_table *readings = &model->uncore_readings;

	return (double)readings->count[row] * model->uncore_counters[readings->counter[row]].scale;
}

void uncore_amount_add(struct uncore_amount *sum, const struct uncore_amount *more)
{
	sum->amount += more->amount;
	sum->least += more->least;
	sum->most += more->most;
	sum->known_ns += more->known_ns;
	sum->is_scaled = sum->is_scaled || more->is_scaled;
}

static struct uncore_amount part_of(const struct model *model, size_t row, uint64_t from_ns,
				    uint64_t to_ns)
{
	const struct uncore_reading_table *readings = &model->uncore_readings;
	uint64_t start_ns = readings->start_ns[row], end_ns = readings->end_ns[row];
	uint64_t first_ns = start_ns > from_ns ? start_ns : from_ns;
	uint64_t last_ns = end_ns < to_ns ? end_ns : to_ns;
	double all = uncore_reading_amount(model, row);
	bool is_whole = first_ns == start_ns && last_ns == end_ns;

	return (struct uncore_amount){
		.amount = is_whole ?
				  all :
				  all * (double)(last_ns - first_ns) / (double)(end_ns - start_ns),
		.least = is_whole ? all : 0,
		.most = all,
		.known_ns = last_ns - first_ns,
		.is_scaled = readings->running_ns[row] < readings->lasted_ns[row],
	};
}

struct uncore_amount uncore_series_between(const struct uncore_series *series,
					   const struct model *model, uint64_t from_ns,
					   uint64_t to_ns)
{
	const struct uncore_reading_table *readings = &model->uncore_readings;
	size_t at = LOWER_BOUND(i, 0, series->nr, readings->end_ns[series->rows[i]] <= from_ns);
	struct uncore_amount sum = { 0 };

	for (; at < series->nr && readings->start_ns[series->rows[at]] < to_ns; at++) {
		struct uncore_amount part = part_of(model, series->rows[at], from_ns, to_ns);

		uncore_amount_add(&sum, &part);
	}
	return sum;
}
