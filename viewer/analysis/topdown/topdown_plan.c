// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/topdown_plan.h"

#include <string.h>

struct reading {
	struct topdown_plan plan;
	bool is_of_thread
		[NR_TOPDOWN_FIGURES]; /* topdown_formula.counts_threads_apart, also of what it names */
	bool names_of_thread; /* while a formula is read: of what it names so far */
};

static struct metric_name resolve(void *context, const char *name)
{
	struct reading *reading = context;
	struct topdown_plan *plan = &reading->plan;

	for (size_t i = 0; i < NR_TOPDOWN_FIGURES; i++) {
		if (strcmp(name, topdown_figure_name((enum topdown_figure)i)))
			continue;
		reading->names_of_thread |= reading->is_of_thread[i];
		return (struct metric_name){ plan->figures[i].nr ? METRIC_NAME_EXPR :
								   METRIC_NAME_UNKNOWN,
					     .expr = &plan->figures[i] };
	}
	return metric_inputs_name(&plan->inputs, name);
}

/* Returns whether its events were counted. */
static bool read_formula(struct reading *reading, const struct topdown_formula *formula)
{
	struct metric_expr *expr = &reading->plan.figures[formula->figure];
	char why[METRIC_WHY_BYTES];

	reading->names_of_thread = formula->counts_threads_apart;
	if (metric_expr_parse(formula->text, resolve, reading, expr, why) != METRIC_PARSED) {
		metric_expr_free(expr);
		return false;
	}
	reading->is_of_thread[formula->figure] = reading->names_of_thread;
	return true;
}

/* Whether cores have several threads, and a formula that is used has not heard of it. */
static bool needs_whole_core(const struct reading *reading, const struct model *model)
{
	bool is_of_thread = false;

	for (size_t i = 0; i < NR_TOPDOWN_FIGURES; i++)
		is_of_thread |= reading->is_of_thread[i];
	return is_of_thread && topology_cores_are_shared(&model->topology);
}

static bool takes_turns(const struct model *model)
{
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (model->pmu_events[i].is_shared)
			return true;
	}
	return false;
}

static struct topdown_plan plan_of_sides(const struct model *model, unsigned int sides)
{
	struct reading reading = { .plan.inputs = { .model = model, .sides = sides } };
	struct topdown_plan *plan = &reading.plan;

	for (const struct topdown_formula *formula = topdown_formulas(); formula->text; formula++) {
		if (!plan->figures[formula->figure].nr)
			plan->nr_known += read_formula(&reading, formula);
	}
	plan->needs_whole_core = needs_whole_core(&reading, model);
	plan->takes_turns = takes_turns(model);
	return *plan;
}

/* Of the sides of which most figures are known; of as many, all code rather than the program's, and that rather than the kernel's. */
struct topdown_plan topdown_plan_make(const struct model *model)
{
	static const unsigned int sides[] = { EVENT_USER, EVENT_KERNEL };
	struct topdown_plan best = plan_of_sides(model, EVENT_BOTH);

	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		struct topdown_plan plan = plan_of_sides(model, sides[i]);

		if (plan.nr_known > best.nr_known) {
			topdown_plan_free(&best);
			best = plan;
		} else {
			topdown_plan_free(&plan);
		}
	}
	return best;
}

void topdown_plan_free(struct topdown_plan *plan)
{
	for (size_t i = 0; i < NR_TOPDOWN_FIGURES; i++)
		metric_expr_free(&plan->figures[i]);
}
