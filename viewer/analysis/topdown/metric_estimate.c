// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/metric_estimate.h"

#include <math.h>
#include <string.h>

#include "analysis/stats/resampled_bounds.h"
#include "analysis/stats/student_t.h"
#include "util/random.h"

#define NR_RESAMPLES 499
#define LEAST_RESAMPLES 450 /* that have a value */
#define MOST_BLOCKS 64
#define MISSED 0.05
#define NORMAL_LIMIT 1.959964 /* that is exceeded so often */
#define SEED 20261128u

/* Sums of counts, block by block. */
struct sums {
	const struct metric_inputs *inputs;
	uint32_t needed; /* counters */
	size_t nr_used;
	size_t used[METRIC_MOST_INPUTS]; /* inputs */
	uint64_t measured_ns;
	uint64_t missed_ns;
	size_t nr_blocks;
	bool has_slices[MOST_BLOCKS];
	double blocks[MOST_BLOCKS][METRIC_MOST_INPUTS];
};

struct metric_name metric_inputs_name(struct metric_inputs *inputs, const char *name)
{
	struct counted_event event = counted_event_find(inputs->model, name, inputs->sides);
	size_t i = 0;

	if (!event.counters)
		return (struct metric_name){ .kind = METRIC_NAME_UNKNOWN };
	while (i < inputs->nr && inputs->events[i].counters != event.counters)
		i++;
	if (i == METRIC_MOST_INPUTS)
		return (struct metric_name){ .kind = METRIC_NAME_UNKNOWN };
	if (i == inputs->nr)
		inputs->events[inputs->nr++] = event;
	return (struct metric_name){ METRIC_NAME_VALUE, .value = i };
}

static void use(void *context, size_t value)
{
	struct sums *sums = context;
	uint32_t counters = sums->inputs->events[value].counters;

	for (size_t i = 0; i < sums->nr_used; i++) {
		if (sums->used[i] == value)
			return;
	}
	sums->used[sums->nr_used++] = value;
	sums->needed |= counters;
}

static double count_in(const struct slice_count_table *counts, size_t row,
		       const struct counted_event *event)
{
	double count = 0;

	for (uint32_t counter = 0; counter < counts->nr_counters; counter++) {
		if (event->counters & 1u << counter)
			count += (double)counts->counts[row * counts->nr_counters + counter];
	}
	return count;
}

static void add_slice(struct sums *sums, size_t row, size_t block)
{
	const struct slice_count_table *counts = &sums->inputs->model->slice_counts;
	uint64_t ns = counts->end_ns[row] - counts->start_ns[row];

	if (counts->invalid[row] & sums->needed) {
		sums->missed_ns += ns;
		return;
	}
	sums->measured_ns += ns;
	sums->has_slices[block] = true;
	for (size_t i = 0; i < sums->nr_used; i++)
		sums->blocks[block][i] += count_in(counts, row,
						   &sums->inputs->events[sums->used[i]]);
}

static void drop_empty_blocks(struct sums *sums)
{
	size_t nr = 0;

	for (size_t i = 0; i < sums->nr_blocks; i++) {
		if (sums->has_slices[i])
			memmove(sums->blocks[nr++], sums->blocks[i], sizeof(sums->blocks[i]));
	}
	sums->nr_blocks = nr;
}

static void add_slices(struct sums *sums, const struct metric_slices *slices)
{
	sums->nr_blocks = slices->nr < MOST_BLOCKS ? slices->nr : MOST_BLOCKS;
	for (size_t i = 0; i < slices->nr; i++)
		add_slice(sums, slices->rows[i], i * sums->nr_blocks / slices->nr);
	drop_empty_blocks(sums);
}

/* The most that one of the events missed, also of time that has no slice. */
static uint64_t unmeasured_ns(const struct sums *sums, const struct metric_slices *slices)
{
	const struct model *model = sums->inputs->model;
	uint64_t most_ns = 0;

	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		const struct pmu_event *event = &model->pmu_events[i];

		if (event->is_counted && sums->needed & 1u << event->counter &&
		    slices->figures[i].unmeasured_ns > most_ns)
			most_ns = slices->figures[i].unmeasured_ns;
	}
	return most_ns;
}

static double measured_share(const struct sums *sums, const struct metric_slices *slices)
{
	uint64_t missed_ns = unmeasured_ns(sums, slices);

	if (missed_ns < sums->missed_ns)
		missed_ns = sums->missed_ns;
	missed_ns += slices->partial_ns;
	if (!sums->measured_ns)
		return 0;
	return (double)sums->measured_ns / (double)(sums->measured_ns + missed_ns);
}

static double value_of(const struct sums *sums, const struct metric_expr *expr,
		       const size_t *blocks)
{
	double values[METRIC_MOST_INPUTS] = { 0 };

	for (size_t i = 0; i < sums->nr_blocks; i++) {
		for (size_t j = 0; j < sums->nr_used; j++)
			values[sums->used[j]] += sums->blocks[blocks ? blocks[i] : i][j];
	}
	return metric_expr_value(expr, values);
}

/* Percentiles of few blocks are too narrow, as are those of a normal distribution in place of Student's. */
static double wider(size_t nr_blocks)
{
	double nr = (double)nr_blocks;

	return sqrt(nr / (nr - 1)) * student_t_limit(MISSED, nr - 1) / NORMAL_LIMIT;
}

static void find_bounds(const struct sums *sums, const struct metric_expr *expr,
			struct metric_estimate *estimate)
{
	double values[NR_RESAMPLES];
	double scale = sqrt(1 - estimate->measured) * wider(sums->nr_blocks);
	struct random random = { SEED };
	struct resampled_bounds bounds;
	size_t nr = 0;

	for (int i = 0; i < NR_RESAMPLES; i++) {
		size_t blocks[MOST_BLOCKS];
		double value;

		for (size_t j = 0; j < sums->nr_blocks; j++)
			blocks[j] = random_below(&random, sums->nr_blocks);
		value = value_of(sums, expr, blocks);
		if (!isnan(value))
			values[nr++] = value;
	}
	if (nr < LEAST_RESAMPLES)
		return;
	bounds = resampled_bounds_of(values, nr);
	estimate->low -= (estimate->value - bounds.low) * scale;
	estimate->high += (bounds.high - estimate->value) * scale;
	estimate->has_bounds = true;
}

struct metric_estimate metric_estimate_of(const struct metric_inputs *inputs,
					  const struct metric_expr *expr,
					  const struct metric_slices *slices)
{
	struct metric_estimate estimate = { 0 };
	struct sums sums = { .inputs = inputs };

	if (!expr->nr)
		return estimate;
	metric_expr_uses(expr, use, &sums);
	add_slices(&sums, slices);
	estimate.measured = measured_share(&sums, slices);
	if (!sums.nr_blocks)
		return estimate;
	estimate.value = value_of(&sums, expr, NULL);
	estimate.low = estimate.high = estimate.value;
	estimate.is_known = !isnan(estimate.value);
	if (estimate.is_known && estimate.measured >= METRIC_ALL_MEASURED)
		estimate.has_bounds = true;
	else if (estimate.is_known && sums.nr_blocks >= METRIC_LEAST_BLOCKS)
		find_bounds(&sums, expr, &estimate);
	return estimate;
}
