// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/topdown.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/topdown/region_slices.h"
#include "analysis/topdown/task_slices.h"
#include "analysis/topdown/topdown_plan.h"
#include "util/xalloc.h"

#define MOST_SUM_ERROR 0.1

const char *topdown_doubt_text(enum topdown_doubt doubt)
{
	static const char *const texts[] = {
		[TOPDOWN_SURE] = NULL,
		[TOPDOWN_NOT_COUNTED] = "not measured",
		[TOPDOWN_NOTHING] = "nothing retired: the events do not count here",
		[TOPDOWN_SUM] = "the shares do not add up to 100",
		[TOPDOWN_PARTLY] = "measured for less than 90 % of the time",
		[TOPDOWN_FEW] = "too few slices for an interval",
		[TOPDOWN_WIDE] = "too little of it measured: off by more than 10 points",
		[TOPDOWN_SMT] = "counted as if no other thread shared the core",
	};

	return texts[doubt];
}

static double half_width(const struct metric_estimate *figure)
{
	return fmax(figure->high - figure->value, figure->value - figure->low);
}

static void sum_up(struct topdown_row *row)
{
	row->measured = 1;
	row->has_error = true;
	for (size_t i = 0; i < NR_TOPDOWN_FIGURES; i++) {
		const struct metric_estimate *figure = &row->figures[i];

		if (!figure->is_known)
			continue;
		row->is_any_known = true;
		row->measured = fmin(row->measured, figure->measured);
		row->has_error = row->has_error && figure->has_bounds;
		row->error = fmax(row->error, half_width(figure));
	}
	row->has_error = row->has_error && row->is_any_known;
}

/* Whether all shares of slots are known, and they are not 1 together. */
static bool sum_is_wrong(const struct topdown_row *row)
{
	double sum = row->figures[TOPDOWN_SMT_CONTENTION].is_known ?
			     row->figures[TOPDOWN_SMT_CONTENTION].value :
			     0;
	static const enum topdown_figure shares[] = { TOPDOWN_RETIRING, TOPDOWN_BAD_SPECULATION,
						      TOPDOWN_FRONTEND_BOUND,
						      TOPDOWN_BACKEND_BOUND };

	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		if (!row->figures[shares[i]].is_known)
			return false;
		sum += row->figures[shares[i]].value;
	}
	return fabs(sum - 1) > MOST_SUM_ERROR;
}

static bool nothing_retired(const struct topdown_row *row)
{
	const struct metric_estimate *retiring = &row->figures[TOPDOWN_RETIRING];

	return retiring->is_known && !(retiring->value > 0);
}

static enum topdown_doubt doubt_of(const struct topdown *topdown, const struct topdown_row *row)
{
	if (!row->is_any_known)
		return TOPDOWN_NOT_COUNTED;
	if (nothing_retired(row))
		return TOPDOWN_NOTHING;
	if (sum_is_wrong(row))
		return TOPDOWN_SUM;
	if (!topdown->takes_turns && row->measured < TOPDOWN_RELIABLE)
		return TOPDOWN_PARTLY;
	if (!row->has_error)
		return TOPDOWN_FEW;
	if (topdown->takes_turns && row->error > TOPDOWN_MOST_ERROR)
		return TOPDOWN_WIDE;
	return topdown->needs_whole_core ? TOPDOWN_SMT : TOPDOWN_SURE;
}

static void fill_row(const struct topdown *topdown, const struct topdown_plan *plan,
		     const struct metric_slices *slices, struct topdown_row *row)
{
	for (size_t i = 0; i < NR_TOPDOWN_FIGURES; i++)
		row->figures[i] = metric_estimate_of(&plan->inputs, &plan->figures[i], slices);
	sum_up(row);
	row->doubt = doubt_of(topdown, row);
}

static uint64_t task_on_cpu_ns(const struct task *task)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < task->nr_threads; i++)
		ns += task->threads[i].once_on_cpu_ns;
	return ns;
}

static void fill_tasks(struct topdown *topdown, const struct topdown_plan *plan,
		       const struct task_stats *stats, const struct task_slices *slices)
{
	topdown->tasks = xcalloc(stats->nr_tasks, sizeof(*topdown->tasks));
	for (size_t i = 0; i < stats->nr_tasks; i++) {
		struct topdown_row *row = &topdown->tasks[topdown->nr_tasks];

		*row = (struct topdown_row){ .task = (uint32_t)i,
					     .thread = MODEL_NO_THREAD,
					     .region = NO_REGION,
					     .on_cpu_ns = task_on_cpu_ns(&stats->tasks[i]) };
		if (!row->on_cpu_ns)
			continue;
		fill_row(topdown, plan, &slices->tasks[i], row);
		topdown->nr_tasks++;
	}
}

static void fill_threads(struct topdown *topdown, const struct topdown_plan *plan,
			 const struct task_stats *stats, const struct task_slices *slices)
{
	const struct model *model = plan->inputs.model;

	topdown->threads = xcalloc(model->nr_threads, sizeof(*topdown->threads));
	for (size_t i = 0; i < model->nr_threads; i++) {
		struct topdown_row *row = &topdown->threads[topdown->nr_threads];

		*row = (struct topdown_row){ .task = NO_TASK,
					     .thread = (uint32_t)i,
					     .region = NO_REGION,
					     .on_cpu_ns = stats->threads[i].ns[METRIC_ON_CPU] };
		if (!row->on_cpu_ns || !model->threads[i].in_session)
			continue;
		fill_row(topdown, plan, &slices->threads[i], row);
		topdown->nr_threads++;
	}
}

static void fill_regions(struct topdown *topdown, const struct topdown_plan *plan,
			 const struct regions *regions)
{
	struct region_slices slices = region_slices_compute(plan->inputs.model, regions);

	topdown->regions = xcalloc(regions->nr_groups, sizeof(*topdown->regions));
	for (size_t i = 0; i < regions->nr_groups; i++) {
		struct topdown_row *row = &topdown->regions[topdown->nr_regions];

		*row = (struct topdown_row){ .task = NO_TASK,
					     .thread = MODEL_NO_THREAD,
					     .region = i,
					     .on_cpu_ns = slices.on_cpu_ns[i] };
		if (!row->on_cpu_ns)
			continue;
		fill_row(topdown, plan, &slices.groups[i], row);
		topdown->nr_regions++;
	}
	region_slices_free(&slices);
}

static int compare_rows(const void *a, const void *b)
{
	const struct topdown_row *first = a, *second = b;

	if (first->on_cpu_ns != second->on_cpu_ns)
		return first->on_cpu_ns > second->on_cpu_ns ? -1 : 1;
	if (first->task != second->task)
		return first->task < second->task ? -1 : 1;
	if (first->region != second->region)
		return first->region < second->region ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static void sort_rows(struct topdown_row *rows, size_t nr)
{
	if (nr)
		qsort(rows, nr, sizeof(*rows), compare_rows);
}

static void fill_rows(struct topdown *topdown, const struct topdown_plan *plan,
		      const struct task_stats *stats, const struct regions *regions)
{
	struct task_slices slices = task_slices_compute(plan->inputs.model, stats);

	fill_tasks(topdown, plan, stats, &slices);
	fill_threads(topdown, plan, stats, &slices);
	task_slices_free(&slices);
	fill_regions(topdown, plan, regions);
	sort_rows(topdown->tasks, topdown->nr_tasks);
	sort_rows(topdown->threads, topdown->nr_threads);
	sort_rows(topdown->regions, topdown->nr_regions);
}

static bool divides_slots(const struct topdown_plan *plan)
{
	return plan->figures[TOPDOWN_FETCH_LATENCY].nr ||
	       plan->figures[TOPDOWN_BRANCH_MISPREDICTS].nr ||
	       plan->figures[TOPDOWN_HEAVY_OPERATIONS].nr;
}

struct topdown topdown_compute(const struct model *model, const struct task_stats *stats,
			       const struct regions *regions)
{
	struct topdown topdown = { 0 };
	struct topdown_plan plan;

	if (!model->trace)
		return topdown;
	plan = topdown_plan_make(model);
	topdown.is_computed = plan.nr_known > 0;
	topdown.sides = plan.inputs.sides;
	topdown.needs_whole_core = plan.needs_whole_core;
	topdown.takes_turns = plan.takes_turns;
	topdown.divides_slots = divides_slots(&plan);
	if (topdown.is_computed)
		fill_rows(&topdown, &plan, stats, regions);
	topdown_plan_free(&plan);
	return topdown;
}

void topdown_free(struct topdown *topdown)
{
	free(topdown->tasks);
	free(topdown->threads);
	free(topdown->regions);
	*topdown = (struct topdown){ 0 };
}
