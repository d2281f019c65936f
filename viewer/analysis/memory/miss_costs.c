// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/miss_costs.h"

#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/memory/data_level.h"
#include "analysis/memory/load_latency.h"
#include "analysis/stats/student_t.h"
#include "analysis/tasks/clock_rate.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

#define MISS_CHANCE 0.05
/* An L1 hit takes 4 or 5 cycles: a threshold up to here cuts none of them off. */
#define MOST_L1_THRESHOLD 4

/* Of latencies in cycles. */
struct sums {
	uint64_t nr;
	double mean;
	double squares; /* of deviations from the mean */
};

struct event_sums {
	struct sums l1_hits;
	struct sums of[NR_MISS_COSTS];
};

/* Welford: Note on a Method for Calculating Corrected Sums of Squares and Products, 1962. */
static void add_value(struct sums *sums, double value)
{
	double step = value - sums->mean;

	sums->nr++;
	sums->mean += step / (double)sums->nr;
	sums->squares += step * (value - sums->mean);
}

static double variance_of_mean(const struct sums *sums)
{
	return sums->squares / ((double)sums->nr - 1) / (double)sums->nr;
}

static bool is_taken_line(uint64_t data_src)
{
	return data_src & PERF_MEM_SNOOP_HITM << PERF_MEM_SNOOP_SHIFT;
}

static void add_sample(struct event_sums *sums, uint64_t data_src, double cycles)
{
	enum data_level level = data_level_of(data_src);

	if (is_taken_line(data_src))
		add_value(&sums->of[MISS_COST_OF_TAKEN_LINE], cycles);
	if (!data_level_is_told(data_src))
		return;
	if (level == DATA_L1)
		add_value(&sums->l1_hits, cycles);
	if (data_level_is_beyond_l1(data_src))
		add_value(&sums->of[MISS_L1], cycles);
	if (level == DATA_L3 || level == DATA_MEMORY)
		add_value(&sums->of[MISS_L2], cycles);
	if (level == DATA_MEMORY)
		add_value(&sums->of[MISS_L3], cycles);
}

static struct event_sums *add_up(const struct model *model)
{
	struct event_sums *sums = xcalloc(model->nr_pmu_events, sizeof(*sums));

	for (size_t sample = 0; sample < model->samples.nr; sample++) {
		uint64_t cycles = load_latency_of_sample(model, sample);

		if (cycles)
			add_sample(&sums[model->samples.event[sample]],
				   model->samples.data_src[sample], (double)cycles);
	}
	return sums;
}

/* Loads that hit in this level, or in those before it, the event does not sample; MISS_NONE: it samples all. */
static enum miss_level left_out(const struct pmu_event *event, enum miss_level by_name)
{
	if (event->by_ratio)
		return event->is_filtered ? MISS_L3 : MISS_L1;
	return by_name;
}

/* Whether the event samples each load of that kind with the same chance. */
static bool has_all_of(const struct pmu_event *event, enum miss_level by_name, size_t which)
{
	enum miss_level left = left_out(event, by_name);

	if (event->threshold_cycles)
		return (double)event->threshold_cycles <= miss_costs_assumed().of[which].cycles;
	if (left == MISS_TLB)
		return false;
	if (which == MISS_COST_OF_TAKEN_LINE)
		return left <= MISS_L2;
	return left != MISS_NONE && left <= which;
}

static struct miss_cost cost_by(const struct model *model, size_t event,
				const struct event_sums *sums, size_t which)
{
	const struct pmu_event *row = &model->pmu_events[event];
	const struct sums *own = &sums->of[which], *l1 = &sums->l1_hits;
	double variance = variance_of_mean(own);
	struct miss_cost cost = {
		.cycles = own->mean,
		.is_sampled = true,
		.event = event,
		.nr_samples = own->nr,
		.is_above_l1 = row->by_ratio,
	};

	if (row->threshold_cycles && row->threshold_cycles <= MOST_L1_THRESHOLD &&
	    l1->nr >= MISS_COSTS_LEAST_SAMPLES && l1->mean < own->mean) {
		cost.cycles -= l1->mean;
		variance += variance_of_mean(l1);
		cost.is_above_l1 = true;
	}
	cost.error_cycles = sqrt(variance) * student_t_limit(MISS_CHANCE, (double)own->nr - 1);
	return cost;
}

static void find_cost(const struct model *model, const enum miss_level *levels,
		      const struct event_sums *sums, size_t which, struct miss_cost *cost)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		uint64_t nr = sums[event].of[which].nr;

		if (nr >= MISS_COSTS_LEAST_SAMPLES && nr > cost->nr_samples &&
		    has_all_of(&model->pmu_events[event], levels[event], which))
			*cost = cost_by(model, event, &sums[event], which);
	}
}

struct miss_costs miss_costs_assumed(void)
{
	struct miss_costs costs = { .ghz = ASSUMED_GHZ };

	for (size_t which = 0; which < NR_MISS_COSTS; which++) {
		struct miss_cost *cost = &costs.of[which];

		cost->ns = which == MISS_COST_OF_TAKEN_LINE ? miss_taken_line_cost_ns() :
							      miss_cost_ns((enum miss_level)which);
		cost->cycles = cost->ns * ASSUMED_GHZ;
	}
	return costs;
}

struct miss_costs miss_costs_compute(const struct model *model, const struct task_stats *stats,
				     const enum miss_level *levels)
{
	struct miss_costs costs = miss_costs_assumed();
	struct event_sums *sums = add_up(model);
	double ghz = clock_rate_counted_ghz(model, stats);

	costs.is_clock_counted = ghz > 0;
	if (costs.is_clock_counted)
		costs.ghz = ghz;
	for (size_t which = MISS_L1; which < NR_MISS_COSTS; which++) {
		struct miss_cost *cost = &costs.of[which];

		find_cost(model, levels, sums, which, cost);
		if (cost->is_sampled)
			cost->ns = cost->cycles / costs.ghz;
	}
	free(sums);
	return costs;
}

double *miss_costs_by_event(const struct model *model, const struct task_stats *stats)
{
	enum miss_level *levels = miss_levels_of_model(model);
	struct miss_costs costs = miss_costs_compute(model, stats, levels);
	double *each_ns = xcalloc(model->nr_pmu_events + 1, sizeof(*each_ns));

	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (levels[event] != MISS_NONE)
			each_ns[event] = costs.of[levels[event]].ns;
	}
	free(levels);
	return each_ns;
}

const char *miss_cost_name(size_t which)
{
	return which == MISS_COST_OF_TAKEN_LINE ? "taken line" :
						  miss_level_name((enum miss_level)which);
}

const char *miss_cost_source(const struct miss_cost *cost)
{
	return cost->is_sampled ? "samples" : "assumed";
}

struct miss_cost_words miss_cost_words(const struct miss_cost *cost)
{
	struct miss_cost_words words = { "" };

	if (cost->is_sampled)
		snprintf(words.text, sizeof(words.text),
			 "; each costs %s +/- %s cycles, the mean of %s samples",
			 figure_number(cost->cycles).text, figure_number(cost->error_cycles).text,
			 figure_count(cost->nr_samples).text);
	return words;
}

void miss_cost_add_caveat(const struct miss_cost *cost, struct finding *finding)
{
	if (!cost->is_sampled && finding->time_lost_ns)
		finding->caveats |= CAVEAT_ASSUMED_COST;
}
