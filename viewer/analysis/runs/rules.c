// SPDX-License-Identifier: GPL-2.0
#include "analysis/runs/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/holm.h"
#include "util/xalloc.h"

static bool is_called(const struct rule *rule, const struct runs *runs, const struct run_task *task)
{
	const char *name = string_table_get(runs->names, task->name);

	return strlen(name) == rule->task_length && !memcmp(name, rule->task, rule->task_length);
}

static bool find_in_run(const struct rule *rule, const struct runs *runs,
			const struct run_figures *run, uint32_t *name, enum trace_span_kind kind)
{
	for (size_t i = 0; i < run->nr_tasks; i++) {
		if (run->tasks[i].kind != kind || !is_called(rule, runs, &run->tasks[i]))
			continue;
		*name = run->tasks[i].name;
		return true;
	}
	return false;
}

static bool find_of_kind(const struct rule *rule, const struct runs *runs, uint32_t *name,
			 enum trace_span_kind kind)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			if (find_in_run(rule, runs, &runs->rows[side][i], name, kind))
				return true;
		}
	}
	return false;
}

bool rule_find_task(const struct rule *rule, const struct runs *runs, uint32_t *name,
		    enum trace_span_kind *kind)
{
	*kind = TRACE_SPAN_WORK;
	if (find_of_kind(rule, runs, name, *kind))
		return true;
	*kind = TRACE_SPAN_WAIT;
	return find_of_kind(rule, runs, name, *kind);
}

/* What one run has; false: it does not. */
static bool figure_of_task(const struct rule *rule, const struct run_task *task, double *figure)
{
	if (!task || (rule->subject == RULE_MISSES && !task->has_misses))
		return false;
	*figure = rule->subject == RULE_MISSES ? task->misses : task->wall_ns[rule->length];
	return true;
}

static bool figure_of_run(const struct rule *rule, const struct run_figures *run, uint32_t name,
			  enum trace_span_kind kind, double *figure)
{
	switch (rule->subject) {
	case RULE_LENGTH:
		*figure = (double)run->session_ns;
		return true;
	case RULE_FINDING:
		/* The limit is the user's, and may lie below what a report leaves out. */
		*figure = (double)run->findings[rule->finding].any_lost_ns;
		return true;
	case RULE_TASK:
	case RULE_MISSES:
		break;
	}
	return figure_of_task(rule, run_figures_task(run, name, kind), figure);
}

static struct runs_value value_of(const struct rule *rule, const struct runs *runs)
{
	struct runs_values values = runs_values_new(runs);
	uint32_t name = TRACE_NO_STRING;
	enum trace_span_kind kind = TRACE_SPAN_WORK;

	if (rule->subject == RULE_TASK || rule->subject == RULE_MISSES)
		rule_find_task(rule, runs, &name, &kind);
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			double figure;

			if (figure_of_run(rule, &runs->rows[side][i], name, kind, &figure))
				runs_values_add(&values, side, figure);
		}
	}
	return runs_value_of(&values, rule->bound == RULE_SHARE ? welch_test_of_ratio :
								  welch_test_of_difference);
}

/* From nothing to something is more than any share; from nothing to nothing is no change. */
static double figure_of(const struct rule *rule, const struct runs_value *value)
{
	if (rule->bound == RULE_VALUE)
		return value->samples[1].mean;
	if (rule->bound == RULE_DIFFERENCE || value->test.has_ratio)
		return value->test.estimate;
	if (value->samples[0].mean > 0)
		return -1;
	return value->samples[1].mean > 0 ? INFINITY : 0;
}

static bool is_beyond(const struct rule *rule, double figure)
{
	if (figure == rule->limit)
		return rule->with_limit;
	return (figure > rule->limit) == rule->is_above;
}

static bool has_figure(const struct rule *rule, const struct runs_value *value)
{
	return runs_value_is_known(value, 1) &&
	       (rule->bound == RULE_VALUE || runs_value_is_known(value, 0));
}

static struct rule_result measure(const struct rule *rule, const struct runs *runs)
{
	struct rule_result result = { .rule = rule, .value = value_of(rule, runs) };

	if (!has_figure(rule, &result.value)) {
		result.outcome = RULE_UNKNOWN;
		return result;
	}
	result.figure = figure_of(rule, &result.value);
	result.needs_test = rule->bound != RULE_VALUE && !is_beyond(rule, 0) &&
			    result.value.test.is_tested;
	return result;
}

static void adjust(struct rule_result *results, size_t nr)
{
	double *p_values = xcalloc(nr, sizeof(*p_values));
	size_t nr_tested = 0;

	for (size_t i = 0; i < nr; i++) {
		if (results[i].needs_test)
			p_values[nr_tested++] = results[i].value.test.p_value;
	}
	holm_adjust(p_values, nr_tested);
	nr_tested = 0;
	for (size_t i = 0; i < nr; i++) {
		struct runs_value *value = &results[i].value;

		if (!results[i].needs_test)
			continue;
		value->adjusted_p = p_values[nr_tested++];
		value->stands_out = value->adjusted_p <= RUNS_MOST_P;
	}
	free(p_values);
}

void rules_judge(const struct rule *rules, size_t nr, const struct runs *runs,
		 struct rule_result *results)
{
	for (size_t i = 0; i < nr; i++)
		results[i] = measure(&rules[i], runs);
	adjust(results, nr);
	for (size_t i = 0; i < nr; i++) {
		struct rule_result *result = &results[i];

		if (result->outcome == RULE_UNKNOWN || !is_beyond(result->rule, result->figure))
			continue;
		result->is_within = result->needs_test && !result->value.stands_out;
		result->outcome = result->is_within ? RULE_OK : RULE_FAILS;
	}
}

bool rules_are_kept(const struct rule_result *results, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (results[i].outcome != RULE_OK)
			return false;
	}
	return true;
}
