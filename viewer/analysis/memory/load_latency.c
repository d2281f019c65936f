// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/load_latency.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>

#include <uapi/annot.h>

#include "analysis/stats/quantile_interval.h"
#include "analysis/tasks/span_walk.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

#define LATENCY_BITS 64

static const double shares[NR_LATENCY_PERCENTILES] = {
	[LATENCY_P50] = 0.5,
	[LATENCY_P90] = 0.9,
	[LATENCY_P99] = 0.99,
};

/* A sample, as one of all threads or as one of its task. */
struct timed_load {
	uint64_t cycles;
	size_t event;
	uint32_t task;
	bool tells_level;
	enum data_level level;
};

struct builder {
	const struct model *model;
	const struct task_stats *stats;
	size_t nr;
	size_t capacity;
	struct timed_load *loads;
	size_t rows_capacity;
	size_t buckets_capacity;
	struct load_latency result;
};

uint64_t load_latency_of_sample(const struct model *model, size_t sample)
{
	const struct sample_table *samples = &model->samples;
	const uint8_t both = ANNOT_SAMPLE_HAS_WEIGHT | ANNOT_SAMPLE_HAS_DATA_SRC;

	if ((samples->has[sample] & both) != both ||
	    !(samples->data_src[sample] & PERF_MEM_OP_LOAD << PERF_MEM_OP_SHIFT))
		return 0;
	return samples->weight[sample];
}

static uint32_t task_of(const struct builder *builder, size_t sample, size_t span)
{
	const struct span_table *spans;

	if (span == SIZE_MAX)
		return NO_TASK;
	spans = &builder->model->threads[builder->model->samples.thread[sample]].spans;
	return task_stats_find(builder->stats, spans->name[span], spans->kind[span]);
}

static void add_load(struct builder *builder, size_t sample, uint32_t task, uint64_t cycles)
{
	const struct sample_table *samples = &builder->model->samples;

	ARRAY_MAKE_ROOM(builder->loads, builder->nr, builder->capacity);
	builder->loads[builder->nr++] = (struct timed_load){
		.cycles = cycles,
		.event = samples->event[sample],
		.task = task,
		.tells_level = data_level_is_told(samples->data_src[sample]),
		.level = data_level_of(samples->data_src[sample]),
	};
}

static void gather_loads(struct builder *builder)
{
	size_t *spans = span_walk_innermost(builder->model);

	for (size_t sample = 0; sample < builder->model->samples.nr; sample++) {
		uint64_t cycles = load_latency_of_sample(builder->model, sample);
		uint32_t task;

		if (!cycles)
			continue;
		add_load(builder, sample, NO_TASK, cycles);
		task = task_of(builder, sample, spans[sample]);
		if (task != NO_TASK)
			add_load(builder, sample, task, cycles);
	}
	free(spans);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_loads(const void *a, const void *b)
{
	const struct timed_load *first = a, *second = b;

	if (first->event != second->event)
		return compare_numbers(first->event, second->event);
	if (first->task != second->task)
		return compare_numbers(first->task, second->task);
	return compare_numbers(first->cycles, second->cycles);
}

static struct latency_percentile percentile_of(const struct timed_load *loads, size_t nr,
					       double share)
{
	struct quantile_interval interval = quantile_interval_of(nr, share, LOAD_LATENCY_COVERAGE);
	struct latency_percentile percentile = {
		.cycles = loads[(size_t)ceil(share * (double)nr) - 1].cycles,
		.has_low = interval.low > 0,
		.has_high = interval.high <= nr,
	};

	if (percentile.has_low)
		percentile.low_cycles = loads[interval.low - 1].cycles;
	if (percentile.has_high)
		percentile.high_cycles = loads[interval.high - 1].cycles;
	return percentile;
}

static void find_level(struct load_latency_row *row, const struct timed_load *loads)
{
	uint64_t nr_of[NR_DATA_LEVELS] = { 0 };

	for (size_t i = 0; i < row->nr_samples; i++) {
		nr_of[loads[i].level] += loads[i].tells_level;
		row->tells_level |= loads[i].tells_level;
	}
	for (int level = 0; level < NR_DATA_LEVELS; level++) {
		if (nr_of[level] > nr_of[row->level])
			row->level = (enum data_level)level;
	}
}

static void add_row(struct builder *builder, const struct timed_load *loads, size_t nr)
{
	struct load_latency *result = &builder->result;
	struct load_latency_row *row;

	ARRAY_MAKE_ROOM(result->rows, result->nr_rows, builder->rows_capacity);
	row = &result->rows[result->nr_rows++];
	*row = (struct load_latency_row){
		.event = loads->event,
		.task = loads->task,
		.nr_samples = nr,
	};
	for (size_t i = 0; i < NR_LATENCY_PERCENTILES; i++)
		row->percentiles[i] = percentile_of(loads, nr, shares[i]);
	find_level(row, loads);
}

static int compare_rows(const void *a, const void *b)
{
	const struct load_latency_row *first = a, *second = b;

	if (first->event != second->event)
		return compare_numbers(first->event, second->event);
	if ((first->task == NO_TASK) != (second->task == NO_TASK))
		return first->task == NO_TASK ? -1 : 1;
	if (first->nr_samples != second->nr_samples)
		return compare_numbers(second->nr_samples, first->nr_samples);
	return compare_numbers(first->task, second->task);
}

/* How many bits the latency has, less one. */
static unsigned int step_of(uint64_t cycles)
{
	return (unsigned int)(LATENCY_BITS - 1 - __builtin_clzll(cycles));
}

static void add_bucket(struct builder *builder, const struct load_latency_row *row,
		       unsigned int step, uint64_t nr)
{
	struct load_latency *result = &builder->result;

	ARRAY_MAKE_ROOM(result->buckets, result->nr_buckets, builder->buckets_capacity);
	result->buckets[result->nr_buckets++] = (struct load_latency_bucket){
		.event = row->event,
		.task = row->task,
		.from_cycles = 1ull << step,
		.below_cycles = step + 1 < LATENCY_BITS ? 2ull << step : UINT64_MAX,
		.nr_samples = nr,
	};
}

/* Where the row's loads begin: of those of its event, by task. */
static const struct timed_load *loads_of(const struct builder *builder,
					 const struct load_latency_row *row)
{
	const struct timed_load wanted = { .event = row->event, .task = row->task };
	size_t low = LOWER_BOUND(at, 0, builder->nr,
				 compare_loads(&builder->loads[at], &wanted) < 0);

	return &builder->loads[low];
}

static void add_buckets(struct builder *builder, const struct load_latency_row *row)
{
	const struct timed_load *loads = loads_of(builder, row);
	uint64_t counts[LATENCY_BITS] = { 0 };

	for (size_t i = 0; i < row->nr_samples; i++)
		counts[step_of(loads[i].cycles)]++;
	for (unsigned int step = 0; step < LATENCY_BITS; step++) {
		if (counts[step])
			add_bucket(builder, row, step, counts[step]);
	}
}

struct load_latency load_latency_compute(const struct model *model, const struct task_stats *stats)
{
	struct builder builder = { .model = model, .stats = stats };
	size_t end;

	gather_loads(&builder);
	if (builder.nr)
		qsort(builder.loads, builder.nr, sizeof(*builder.loads), compare_loads);
	for (size_t first = 0; first < builder.nr; first = end) {
		const struct timed_load *loads = &builder.loads[first];

		end = first;
		while (end < builder.nr && builder.loads[end].event == loads->event &&
		       builder.loads[end].task == loads->task)
			end++;
		add_row(&builder, loads, end - first);
	}
	if (builder.result.nr_rows)
		qsort(builder.result.rows, builder.result.nr_rows, sizeof(*builder.result.rows),
		      compare_rows);
	for (size_t i = 0; i < builder.result.nr_rows; i++)
		add_buckets(&builder, &builder.result.rows[i]);
	free(builder.loads);
	return builder.result;
}

void load_latency_free(struct load_latency *latency)
{
	free(latency->rows);
	free(latency->buckets);
	*latency = (struct load_latency){ 0 };
}
