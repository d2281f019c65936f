// SPDX-License-Identifier: GPL-2.0
#include "page/slots.h"

#include "analysis/topdown/topdown_plan.h"

/* Shares of cycles are not among them. */
static const enum topdown_figure shown[] = {
	TOPDOWN_RETIRING,	TOPDOWN_BAD_SPECULATION, TOPDOWN_FRONTEND_BOUND,
	TOPDOWN_BACKEND_BOUND,	TOPDOWN_MEMORY_BOUND,	 TOPDOWN_CORE_BOUND,
	TOPDOWN_SMT_CONTENTION,
};

#define NR_SHOWN (sizeof(shown) / sizeof(shown[0]))

static bool is_any_known(const struct topdown_plan *plan)
{
	for (size_t i = 0; i < NR_SHOWN; i++) {
		if (plan->figures[shown[i]].nr)
			return true;
	}
	return false;
}

static void write_inputs(struct json *json, const struct metric_inputs *inputs)
{
	json_key(json, "inputs");
	json_begin_array(json);
	for (size_t i = 0; i < inputs->nr; i++) {
		json_begin_array(json);
		for (uint32_t counter = 0; counter < MODEL_MAX_COUNTERS; counter++) {
			if (inputs->events[i].counters & 1u << counter)
				json_u64(json, counter);
		}
		json_end_array(json);
	}
	json_end_array(json);
}

static void write_step(void *context, const struct metric_step *step)
{
	struct json *json = context;

	if (step->operation) {
		json_string(json, step->operation);
	} else if (step->is_value) {
		json_begin_array(json);
		json_u64(json, step->value);
		json_end_array(json);
	} else {
		json_double(json, step->number);
	}
}

static void write_figures(struct json *json, const struct topdown_plan *plan)
{
	json_key(json, "figures");
	json_begin_object(json);
	for (size_t i = 0; i < NR_SHOWN; i++) {
		const struct metric_expr *expr = &plan->figures[shown[i]];

		if (!expr->nr)
			continue;
		json_key(json, topdown_figure_name(shown[i]));
		json_begin_array(json);
		metric_expr_each(expr, write_step, json);
		json_end_array(json);
	}
	json_end_object(json);
}

void slots_write(struct json *json, const struct model *rest)
{
	struct topdown_plan plan = topdown_plan_make(rest);

	if (is_any_known(&plan)) {
		json_key(json, "slots");
		json_begin_object(json);
		write_inputs(json, &plan.inputs);
		write_figures(json, &plan);
		json_key_bool(json, "turns", plan.takes_turns);
		json_key_bool(json, "whole_core", plan.needs_whole_core);
		json_end_object(json);
	}
	topdown_plan_free(&plan);
}
