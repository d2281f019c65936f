// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/percentiles.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/instances/instances.h"
#include "analysis/stats/quantile_interval.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

static const struct {
	const char *name;
	double share; /* 1: the longest one */
} kinds[NR_PERCENTILES] = {
	{ "p50", 0.5 }, { "p90", 0.9 }, { "p99", 0.99 }, { "p99.9", 0.999 }, { "max", 1 },
};

const char *percentile_name(size_t which)
{
	return kinds[which].name;
}

struct builder {
	struct percentiles result;
	size_t rows_capacity;
	size_t buckets_capacity;
};

static void find_interval(struct percentile_row *row, const struct instance *instances, size_t nr)
{
	double share = kinds[row->which].share;
	struct quantile_interval interval;

	/* The longest one says nothing of others that might come. */
	if (share >= 1)
		return;
	interval = quantile_interval_of(nr, share, PERCENTILES_COVERAGE);
	row->has_low = interval.low > 0;
	row->has_high = interval.high <= nr;
	if (row->has_low)
		row->low_ns = instance_wall_ns(&instances[interval.low - 1]);
	if (row->has_high)
		row->high_ns = instance_wall_ns(&instances[interval.high - 1]);
}

static void add_percentile(struct builder *builder, const struct instance *instances, size_t nr,
			   size_t which)
{
	size_t rank = (size_t)ceil(kinds[which].share * (double)nr);
	const struct instance *instance = &instances[rank - 1];
	struct percentile_row *row;

	ARRAY_MAKE_ROOM(builder->result.rows, builder->result.nr_rows, builder->rows_capacity);
	row = &builder->result.rows[builder->result.nr_rows++];
	*row = (struct percentile_row){
		.task = instance->task,
		.nr_instances = nr,
		.which = which,
		.ns = instance_wall_ns(instance),
		.thread = instance->thread,
		.from_ns = instance->from_ns,
		.to_ns = instance->to_ns,
	};
	find_interval(row, instances, nr);
}

static void add_buckets(struct builder *builder, const struct instance *instances, size_t nr)
{
	struct histogram histogram = { 0 };

	for (size_t i = 0; i < nr; i++)
		histogram_add(&histogram, instance_wall_ns(&instances[i]));
	for (size_t i = 0; i <= HISTOGRAM_EDGES; i++) {
		if (!histogram.counts[i])
			continue;
		ARRAY_MAKE_ROOM(builder->result.buckets, builder->result.nr_buckets,
				builder->buckets_capacity);
		builder->result.buckets[builder->result.nr_buckets++] = (struct percentile_bucket){
			.task = instances->task,
			.from_ns = i ? histogram_edge_ns(i - 1) : 0,
			.below_ns = i < HISTOGRAM_EDGES ? histogram_edge_ns(i) : UINT64_MAX,
			.nr_instances = histogram.counts[i],
		};
	}
}

static void add_tasks(struct builder *builder, const struct model *model,
		      const struct task_stats *stats, enum trace_span_kind kind)
{
	size_t nr, end;
	struct instance *instances = instances_collect(model, stats, kind, &nr);

	for (size_t first = 0; first < nr; first = end) {
		end = first;
		while (end < nr && instances[end].task == instances[first].task)
			end++;
		if (end - first < PERCENTILES_LEAST_INSTANCES)
			continue;
		for (size_t which = 0; which < NR_PERCENTILES; which++)
			add_percentile(builder, instances + first, end - first, which);
		add_buckets(builder, instances + first, end - first);
	}
	spill_free(instances);
}

struct percentiles percentiles_compute(const struct model *model, const struct task_stats *stats)
{
	struct builder builder = { 0 };

	add_tasks(&builder, model, stats, TRACE_SPAN_WORK);
	add_tasks(&builder, model, stats, TRACE_SPAN_WAIT);
	return builder.result;
}

void percentiles_free(struct percentiles *percentiles)
{
	free(percentiles->rows);
	free(percentiles->buckets);
	*percentiles = (struct percentiles){ 0 };
}
