// SPDX-License-Identifier: GPL-2.0
/*
 * load_latency: how long sampled loads took, and what misses cost.
 */
#include "report/analyses/load_latency_report.h"

#include <stdlib.h>

#include "analysis/memory/load_latency.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

/* All but MISS_NONE. */
#define NR_COSTS (NR_MISS_COSTS - 1)

struct cost_row {
	size_t which;
	const struct miss_cost *cost;
};

struct load_latency_report {
	struct load_latency latency;
	struct miss_costs costs;
	struct cost_row cost_rows[NR_COSTS];
};

static void *load_latency_report_compute(const struct analyses *analyses)
{
	struct load_latency_report *report = xcalloc(1, sizeof(*report));
	enum miss_level *levels = miss_levels_of_model(analyses->model);

	report->latency = load_latency_compute(analyses->model, analyses->stats);
	report->costs = miss_costs_compute(analyses->model, analyses->stats, levels);
	free(levels);
	for (size_t i = 0; i < NR_COSTS; i++)
		report->cost_rows[i] = (struct cost_row){ i + 1, &report->costs.of[i + 1] };
	return report;
}

static void load_latency_report_free(void *result)
{
	struct load_latency_report *report = result;

	load_latency_free(&report->latency);
	free(report);
}

const struct miss_costs *load_latency_report_costs(const struct analyses *analyses)
{
	const struct load_latency_report *report = analyses_result(analyses,
								   &load_latency_analysis);

	return &report->costs;
}

static const char *load_latency_report_not_computed(const void *result)
{
	const struct load_latency_report *report = result;

	return report->latency.nr_rows ?
		       NULL :
		       "no sample tells how long a load took (annot record -e load_latency; on AMD, -e ibs_op)";
}

static const void *task_rows(const void *result, size_t *nr)
{
	const struct load_latency_report *report = result;

	*nr = report->latency.nr_rows;
	return report->latency.rows;
}

static const void *bucket_rows(const void *result, size_t *nr)
{
	const struct load_latency_report *report = result;

	*nr = report->latency.nr_buckets;
	return report->latency.buckets;
}

static const void *cost_rows(const void *result, size_t *nr)
{
	const struct load_latency_report *report = result;

	*nr = report->latency.nr_rows ? NR_COSTS : 0;
	return report->cost_rows;
}

static struct table_cell event_name(const struct table_source *source, size_t event)
{
	const struct model *model = source->analyses->model;

	return (struct table_cell){
		.text = trace_string(model->trace, model->pmu_events[event].name),
	};
}

static struct table_cell task_name(const struct table_source *source, uint32_t task)
{
	const struct analyses *analyses = source->analyses;

	if (task == NO_TASK)
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){
		.text = trace_string(analyses->model->trace, analyses->stats->tasks[task].name),
	};
}

static struct table_cell event_cell(const struct table_source *source, const void *row)
{
	return event_name(source, ((const struct load_latency_row *)row)->event);
}

static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	return task_name(source, ((const struct load_latency_row *)row)->task);
}

static struct table_cell bucket_event_cell(const struct table_source *source, const void *row)
{
	return event_name(source, ((const struct load_latency_bucket *)row)->event);
}

static struct table_cell bucket_task_cell(const struct table_source *source, const void *row)
{
	return task_name(source, ((const struct load_latency_bucket *)row)->task);
}

static struct table_cell below_cell(const struct table_source *source, const void *row)
{
	const struct load_latency_bucket *bucket = row;

	(void)source;
	return (struct table_cell){ .is_unknown = bucket->below_cycles == UINT64_MAX,
				    .whole = bucket->below_cycles };
}

static struct table_cell low_of(const void *row, enum latency_percentile_kind kind)
{
	const struct load_latency_row *own = row;
	const struct latency_percentile *percentile = &own->percentiles[kind];

	return (struct table_cell){ .is_unknown = !percentile->has_low,
				    .whole = percentile->low_cycles };
}

static struct table_cell high_of(const void *row, enum latency_percentile_kind kind)
{
	const struct load_latency_row *own = row;
	const struct latency_percentile *percentile = &own->percentiles[kind];

	return (struct table_cell){ .is_unknown = !percentile->has_high,
				    .whole = percentile->high_cycles };
}

#define INTERVAL_CELLS(name, kind)                                                   \
	static struct table_cell name##_low_cell(const struct table_source *source,  \
						 const void *row)                    \
	{                                                                            \
		(void)source;                                                        \
		return low_of(row, kind);                                            \
	}                                                                            \
	static struct table_cell name##_high_cell(const struct table_source *source, \
						  const void *row)                   \
	{                                                                            \
		(void)source;                                                        \
		return high_of(row, kind);                                           \
	}

INTERVAL_CELLS(p50, LATENCY_P50)
INTERVAL_CELLS(p90, LATENCY_P90)
INTERVAL_CELLS(p99, LATENCY_P99)

static struct table_cell level_cell(const struct table_source *source, const void *row)
{
	const struct load_latency_row *own = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !own->tells_level,
				    .text = data_level_name(own->level) };
}

static const struct pmu_event *event_of(const struct table_source *source, const void *row)
{
	return &source->analyses->model->pmu_events[((const struct load_latency_row *)row)->event];
}

static struct table_cell threshold_cell(const struct table_source *source, const void *row)
{
	uint64_t cycles = event_of(source, row)->threshold_cycles;

	return (struct table_cell){ .is_unknown = !cycles, .whole = cycles };
}

/* What the event samples, or tells the latency of. */
static struct table_cell sampled_cell(const struct table_source *source, const void *row)
{
	static const char *const misses[NR_MISS_LEVELS] = {
		[MISS_TLB] = "TLB misses",
		[MISS_L1] = "L1 misses",
		[MISS_L2] = "L2 misses",
		[MISS_L3] = "L3 misses",
	};
	const struct pmu_event *event = event_of(source, row);
	enum miss_level level = miss_level_of_event(source->analyses->model,
						    ((const struct load_latency_row *)row)->event);

	if (event->by_ratio)
		level = event->is_filtered ? MISS_L3 : MISS_L1;
	if (event->threshold_cycles)
		return (struct table_cell){ .text = "slow loads" };
	return (struct table_cell){ .is_unknown = !misses[level], .text = misses[level] };
}

static const struct miss_cost *cost_of(const void *row)
{
	return ((const struct cost_row *)row)->cost;
}

static struct table_cell miss_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){
		.text = miss_cost_name(((const struct cost_row *)row)->which),
	};
}

static struct table_cell cycles_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = cost_of(row)->cycles };
}

static struct table_cell error_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .is_unknown = !cost_of(row)->is_sampled,
				    .real = cost_of(row)->error_cycles };
}

static struct table_cell cost_ns_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = cost_of(row)->ns };
}

static struct table_cell from_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .text = miss_cost_source(cost_of(row)) };
}

static struct table_cell cost_samples_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .is_unknown = !cost_of(row)->is_sampled,
				    .whole = cost_of(row)->nr_samples };
}

static struct table_cell cost_event_cell(const struct table_source *source, const void *row)
{
	if (!cost_of(row)->is_sampled)
		return (struct table_cell){ .is_unknown = true };
	return event_name(source, cost_of(row)->event);
}

static struct table_cell above_l1_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .whole = cost_of(row)->is_above_l1 };
}

static struct table_cell ghz_cell(const struct table_source *source, const void *row)
{
	const struct load_latency_report *report = source->result;

	return (struct table_cell){
		.is_unknown = !cost_of(row)->is_sampled || !report->costs.is_clock_counted,
		.real = report->costs.ghz,
	};
}

#define PERCENTILE(kind) TABLE_FIELD(load_latency_row, percentiles[kind].cycles)
#define LOW "Where its interval of 95 % begins; unknown where samples are too few."
#define HIGH "Where it ends; unknown likewise."

static const struct table_column task_columns[] = {
	{ COLUMN_TEXT, "event", "event", "The event that was sampled.", .cell = event_cell },
	{ COLUMN_TEXT, "task", "task", "The task; null: all threads together.", .cell = task_cell },
	{ COLUMN_COUNT, "samples", "samples", "Samples of loads that tell their latency.",
	  TABLE_FIELD(load_latency_row, nr_samples) },
	{ COLUMN_COUNT, "p50_cycles", "p50", "Half of them did not take longer, in cycles.",
	  PERCENTILE(LATENCY_P50) },
	{ COLUMN_COUNT, "p50_low_cycles", "low", LOW, .cell = p50_low_cell },
	{ COLUMN_COUNT, "p50_high_cycles", "high", HIGH, .cell = p50_high_cell },
	{ COLUMN_COUNT, "p90_cycles", "p90", "90 % did not take longer.", PERCENTILE(LATENCY_P90) },
	{ COLUMN_COUNT, "p90_low_cycles", "low", LOW, .cell = p90_low_cell },
	{ COLUMN_COUNT, "p90_high_cycles", "high", HIGH, .cell = p90_high_cell },
	{ COLUMN_COUNT, "p99_cycles", "p99", "99 % did not take longer.", PERCENTILE(LATENCY_P99) },
	{ COLUMN_COUNT, "p99_low_cycles", "low", LOW, .cell = p99_low_cell },
	{ COLUMN_COUNT, "p99_high_cycles", "high", HIGH, .cell = p99_high_cell },
	{ COLUMN_TEXT, "level", "most in",
	  "Where most of them found their data: L1, L2, L3, memory, elsewhere; null: not told.",
	  .cell = level_cell },
	{ COLUMN_TEXT, "sampled", "sampled",
	  "Which loads tell a latency: slow loads, or misses of a level; null: the event's name does not say so.",
	  .cell = sampled_cell },
	{ COLUMN_COUNT, "threshold_cycles", "threshold",
	  "Loads that took fewer cycles were not sampled; null: the event has no such limit.",
	  .cell = threshold_cell },
	{ 0 },
};

static const struct table_column bucket_columns[] = {
	{ COLUMN_TEXT, "event", "event", "The event that was sampled.", .cell = bucket_event_cell },
	{ COLUMN_TEXT, "task", "task", "The task; null: all threads together.",
	  .cell = bucket_task_cell },
	{ COLUMN_COUNT, "least_cycles", "at least", "Where the step begins, in cycles.",
	  TABLE_FIELD(load_latency_bucket, from_cycles) },
	{ COLUMN_COUNT, "below_cycles", "below", "Where it ends: loads that took less than that.",
	  .cell = below_cell },
	{ COLUMN_COUNT, "samples", "samples", "How many samples these are.",
	  TABLE_FIELD(load_latency_bucket, nr_samples) },
	{ 0 },
};

static const struct table_column cost_columns[] = {
	{ COLUMN_TEXT, "miss", "miss of",
	  "The level that is missed; or \"taken line\": another core has written to it.",
	  .cell = miss_cell },
	{ COLUMN_NUMBER, "cycles", "cycles",
	  "What one costs: the mean of samples of such loads, less that of L1 hits where that is known; or a constant.",
	  .cell = cycles_cell },
	{ COLUMN_NUMBER, "error_cycles", "+/-",
	  "The truth is within it in 95 of 100 cases; null: it is a constant.",
	  .cell = error_cell },
	{ COLUMN_NUMBER, "ns", "ns", "The same in nanoseconds.", .cell = cost_ns_cell },
	{ COLUMN_TEXT, "from", "from", "Where the figure is from: samples, or assumed.",
	  .cell = from_cell },
	{ COLUMN_COUNT, "samples", "samples", "How many samples; null: it is a constant.",
	  .cell = cost_samples_cell },
	{ COLUMN_TEXT, "event", "event", "Of which event; null: it is a constant.",
	  .cell = cost_event_cell },
	{ COLUMN_FLAG, "is_above_l1", NULL,
	  "Whether it is without what an L1 hit costs; false of a constant.",
	  .cell = above_l1_cell },
	{ COLUMN_NUMBER, "ghz", NULL,
	  "Cycles in a nanosecond, as they were counted; null: 3 were assumed.", .cell = ghz_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "tasks", "How many cycles loads take", "task", task_columns,
	  sizeof(struct load_latency_row), task_rows },
	{ "histogram", "How many take how long", "step", bucket_columns,
	  sizeof(struct load_latency_bucket), bucket_rows },
	{ "costs", "What a miss costs", "miss", cost_columns, sizeof(struct cost_row), cost_rows },
	{ 0 },
};

const struct analysis_desc load_latency_analysis = {
	.name = "load_latency",
	.help = "how long sampled loads took, by task: percentiles, a histogram; what misses cost",
	.title = "Latency of loads",
	.tables = tables,
	.compute = load_latency_report_compute,
	.free = load_latency_report_free,
	.not_computed = load_latency_report_not_computed,
};
