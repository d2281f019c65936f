// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/uncore/uncore.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *uncore_report_compute(const struct analyses *analyses)
{
	struct uncore *uncore = xcalloc(1, sizeof(*uncore));

	*uncore = uncore_compute(analyses->model, analyses_result(analyses, &regions_analysis));
	return uncore;
}

static void uncore_report_free(void *result)
{
	uncore_free(result);
	free(result);
}

static const char *uncore_report_not_computed(const void *result)
{
	const struct uncore *uncore = result;

	return uncore->nr_totals ?
		       NULL :
		       "the trace has no counters of sockets: annot record --count power/energy-pkg/ "
		       "(ls /sys/bus/event_source/devices/*/cpumask)";
}

static const void *total_rows(const void *result, size_t *nr)
{
	const struct uncore *uncore = result;

	*nr = uncore->nr_totals;
	return uncore->totals;
}

static const void *region_rows(const void *result, size_t *nr)
{
	const struct uncore *uncore = result;

	*nr = uncore->nr_regions;
	return uncore->regions;
}

static const struct uncore_counter *counter_of(const struct table_source *source, uint32_t counter)
{
	return &source->analyses->model->uncore_counters[counter];
}

static struct table_cell name_cell(const struct table_source *source, uint32_t counter)
{
	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace,
				     counter_of(source, counter)->name),
	};
}

static struct table_cell cpu_cell(const struct table_source *source, uint32_t counter)
{
	int cpu = counter_of(source, counter)->cpu;

	return (struct table_cell){ .is_unknown = cpu < 0, .whole = (uint64_t)cpu };
}

static struct table_cell unit_cell(const struct table_source *source, uint32_t counter)
{
	uint32_t unit = counter_of(source, counter)->unit;

	return (struct table_cell){
		.text = unit ? trace_string(source->analyses->model->trace, unit) : "events",
	};
}

static struct table_cell total_name_cell(const struct table_source *source, const void *row)
{
	return name_cell(source, ((const struct uncore_total *)row)->counter);
}

static struct table_cell total_cpu_cell(const struct table_source *source, const void *row)
{
	return cpu_cell(source, ((const struct uncore_total *)row)->counter);
}

static struct table_cell total_unit_cell(const struct table_source *source, const void *row)
{
	return unit_cell(source, ((const struct uncore_total *)row)->counter);
}

static struct table_cell known_cell(const struct uncore_total *total, double figure)
{
	return (struct table_cell){ .is_unknown = !total->nr_readings, .real = figure };
}

static struct table_cell total_amount_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return known_cell(row, ((const struct uncore_total *)row)->amount);
}

static struct table_cell total_rate_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return known_cell(row, ((const struct uncore_total *)row)->per_s);
}

static struct table_cell least_rate_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return known_cell(row, ((const struct uncore_total *)row)->least_per_s);
}

static struct table_cell most_rate_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return known_cell(row, ((const struct uncore_total *)row)->most_per_s);
}

static struct table_cell measured_cell(const struct table_source *source, const void *row)
{
	const struct uncore_total *total = row;

	(void)source;
	return (struct table_cell){
		.real = 100 * (double)total->running_ns / (double)total->lasted_ns,
	};
}

#define TOTAL(field) TABLE_FIELD(uncore_total, field)

static const struct table_column total_columns[] = {
	{ COLUMN_TEXT, "counter", "counter", "The event's name.", .cell = total_name_cell },
	{ COLUMN_CPU, "cpu", "cpu", "The CPU that counts it for all of its socket or die.",
	  .cell = total_cpu_cell },
	{ COLUMN_NUMBER, "amount", "amount", "What it counted, in its unit.",
	  .cell = total_amount_cell },
	{ COLUMN_TEXT, "unit", "unit", "Its unit, as the kernel gives it.",
	  .cell = total_unit_cell },
	{ COLUMN_TIME, "known_ns", "in", "The time in which it was read.", TOTAL(known_ns) },
	{ COLUMN_NUMBER, "per_s", "per s", "The mean a second: of Joules, the power in W.",
	  .cell = total_rate_cell },
	{ COLUMN_NUMBER, "least_per_s", "least", "The lowest rate between two readings.",
	  .cell = least_rate_cell },
	{ COLUMN_NUMBER, "most_per_s", "most", "The highest rate between two readings.",
	  .cell = most_rate_cell },
	{ COLUMN_NUMBER, "measured_pct", "measured %",
	  "For which part of that time it was counted; what is below 100 is scaled up.",
	  .cell = measured_cell },
	{ COLUMN_COUNT, "readings", NULL, "How many readings there are with a count.",
	  TOTAL(nr_readings) },
	{ COLUMN_FROM, "most_from_ns", NULL, "When the highest rate began.", TOTAL(most_from_ns) },
	{ COLUMN_TO, "most_to_ns", NULL, "When it ended.", TOTAL(most_to_ns) },
	{ 0 },
};

static struct table_cell region_cell(const struct table_source *source, const void *row)
{
	const struct regions *regions = analyses_result(source->analyses, &regions_analysis);
	const struct uncore_region *region = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace,
				     regions->groups[region->group].name),
	};
}

static struct table_cell region_name_cell(const struct table_source *source, const void *row)
{
	return name_cell(source, ((const struct uncore_region *)row)->counter);
}

static struct table_cell region_cpu_cell(const struct table_source *source, const void *row)
{
	return cpu_cell(source, ((const struct uncore_region *)row)->counter);
}

static struct table_cell region_unit_cell(const struct table_source *source, const void *row)
{
	return unit_cell(source, ((const struct uncore_region *)row)->counter);
}

static struct table_cell region_figure(const struct uncore_region *region, double figure)
{
	return (struct table_cell){ .is_unknown = !region->amount.known_ns, .real = figure };
}

static struct table_cell region_amount_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return region_figure(row, ((const struct uncore_region *)row)->amount.amount);
}

/* Of all of the time, or not at all. */
static bool has_bounds(const struct uncore_region *region)
{
	return !region->amount.is_scaled && region->amount.known_ns == region->elapsed_ns;
}

static struct table_cell region_least_cell(const struct table_source *source, const void *row)
{
	const struct uncore_region *region = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !has_bounds(region),
				    .real = region->amount.least };
}

static struct table_cell region_most_cell(const struct table_source *source, const void *row)
{
	const struct uncore_region *region = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !has_bounds(region),
				    .real = region->amount.most };
}

static struct table_cell region_rate_cell(const struct table_source *source, const void *row)
{
	const struct uncore_region *region = row;

	(void)source;
	return region_figure(region, region->amount.amount * 1e9 / (double)region->amount.known_ns);
}

static struct table_cell region_known_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .whole = ((const struct uncore_region *)row)->amount.known_ns };
}

static const struct table_column region_columns[] = {
	{ COLUMN_TEXT, "region", "region", "The region's name.", .cell = region_cell },
	{ COLUMN_TEXT, "counter", "counter", "The event's name.", .cell = region_name_cell },
	{ COLUMN_CPU, "cpu", "cpu", "The CPU that counts it for all of its socket or die.",
	  .cell = region_cpu_cell },
	{ COLUMN_NUMBER, "amount", "amount",
	  "What was counted while these regions ran, whoever caused it.",
	  .cell = region_amount_cell },
	{ COLUMN_NUMBER, "amount_least", "at least",
	  "The readings that lie in them as a whole; unknown if some was scaled up or missing.",
	  .cell = region_least_cell },
	{ COLUMN_NUMBER, "amount_most", "at most", "All readings that touch them; the same.",
	  .cell = region_most_cell },
	{ COLUMN_TEXT, "unit", "unit", "Its unit, as the kernel gives it.",
	  .cell = region_unit_cell },
	{ COLUMN_NUMBER, "per_s", "per s", "The mean a second: of Joules, the power in W.",
	  .cell = region_rate_cell },
	{ COLUMN_TIME, "elapsed_ns", "elapsed", "How long the regions were.",
	  TABLE_FIELD(uncore_region, elapsed_ns) },
	{ COLUMN_TIME, "known_ns", NULL, "Of that, there are readings.",
	  .cell = region_known_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "counters", "Counters of sockets", "counter", total_columns, sizeof(struct uncore_total),
	  total_rows },
	{ "regions", "By region", "region", region_columns, sizeof(struct uncore_region),
	  region_rows },
	{ 0 },
};

const struct analysis_desc uncore_analysis = {
	.name = "uncore",
	.help = "energy and other counters of sockets: how much, and in which region",
	.title = "Energy and sockets",
	.tables = tables,
	.compute = uncore_report_compute,
	.needs = &regions_analysis,
	.free = uncore_report_free,
	.not_computed = uncore_report_not_computed,
};
