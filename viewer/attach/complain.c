// SPDX-License-Identifier: GPL-2.0
#include "attach/complain.h"

#include <string.h>

#include "util/diag.h"

static bool is_prevented(const struct attach_result *result)
{
	return result->verdict == ATTACH_USED && result->obstacle;
}

/* Why nothing of @convention is loaded, or NULL: something is. */
static const char *find_reason(const struct attach_plan *plan, enum attach_convention convention)
{
	const char *why = NULL;

	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		const struct attach_result *result = &plan->results[i];

		if (attach_fronts[i].convention != convention)
			continue;
		if (result->is_chosen)
			return NULL;
		if (!why)
			why = result->obstacle ? result->obstacle : result->why;
	}
	return why;
}

static enum attach_verdict best_verdict(const struct attach_plan *plan,
					enum attach_convention convention)
{
	enum attach_verdict best = ATTACH_UNKNOWN;

	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		if (attach_fronts[i].convention == convention && plan->results[i].verdict > best)
			best = plan->results[i].verdict;
	}
	return best;
}

/* Returns how many lines were printed. */
static size_t complain_of_fronts(const struct attach_plan *plan, enum attach_convention convention,
				 const char *option)
{
	size_t nr = 0;

	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		if (attach_fronts[i].convention != convention || !is_prevented(&plan->results[i]))
			continue;
		diag_warn("%s=%s: %s", option, attach_convention_names[convention],
			  plan->results[i].obstacle);
		nr++;
	}
	return nr;
}

/* Of a convention that is asked for. */
static void complain_of_convention(const struct attach_plan *plan,
				   enum attach_convention convention, const char *option)
{
	const char *name = attach_convention_names[convention];
	const char *why;

	if (complain_of_fronts(plan, convention, option))
		return;
	why = find_reason(plan, convention);
	if (why)
		diag_warn("%s=%s: %s", option, name, why);
	else if (best_verdict(plan, convention) == ATTACH_UNUSED)
		diag_warn("%s=%s: no sign of it in %s: it is attached all the same", option, name,
			  plan->programs[0].path);
}

/* Each reason once: one may hold for many fronts. */
static void complain_of_prevented(const struct attach_plan *plan, const char *option)
{
	const char *told = "";

	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		const struct attach_result *result = &plan->results[i];

		if (!is_prevented(result) || !strcmp(told, result->obstacle))
			continue;
		told = result->obstacle;
		diag_warn("%s: %s", option, told);
	}
}

static bool has(const struct attach_plan *plan, enum attach_verdict verdict)
{
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		if (plan->results[i].verdict == verdict)
			return true;
	}
	return false;
}

/* Nothing that is used can be loaded, or nothing is used. */
static void complain_of_programs(const struct attach_plan *plan, const char *option)
{
	bool has_problem = false;

	for (size_t i = 0; i < plan->nr_programs; i++) {
		if (!plan->programs[i].problem)
			continue;
		has_problem = true;
		diag_warn("%s: %s", option, plan->programs[i].problem);
	}
	if (has_problem)
		return;
	if (plan->directory.problem)
		diag_warn("%s: %s", option, plan->directory.problem);
	else if (plan->environment.nr)
		diag_warn(
			"%s: %s uses nothing that is known; what it loads or starts is attached where a variable "
			"suffices, the rest if LIST names it (annot attach --list)",
			option, plan->programs[0].path);
	else
		diag_warn("%s: %s uses nothing that is known (annot attach --list)", option,
			  plan->programs[0].path);
}

bool attach_complain(const struct attach_plan *plan, const struct attach_choice *choice,
		     const char *option)
{
	for (int i = 0; i < ATTACH_CONVENTIONS && choice->is_made; i++) {
		if (choice->conventions[i])
			complain_of_convention(plan, (enum attach_convention)i, option);
	}
	if (!choice->is_made) {
		complain_of_prevented(plan, option);
		if (!has(plan, ATTACH_USED))
			complain_of_programs(plan, option);
	}
	return plan->environment.nr > 0;
}
