// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "analysis/events.h"

double event_error(const struct model *model, size_t event, const struct event_figures *figures)
{
	if (!model->pmu_events[event].is_counted && !figures->nr_samples)
		return (double)model->pmu_events[event].period;
	return sqrt(figures->variance);
}

bool event_per_us(const struct event_figures *figures, double *rate)
{
	if (!figures->measured || !figures->on_cpu_ns)
		return false;
	*rate = figures->count / ((double)figures->on_cpu_ns / 1000);
	return true;
}

bool event_is_instructions(const char *name)
{
	static const char *const words[] = {
		"instructions", "instruction_retired", "instructions_retired",
		"inst_retired", "instr_retired",       "r00c0",
		"rc0",
	};
	static const char perf_prefix[] = "perf_count_hw_";
	const char *pmu = strstr(name, "::");
	size_t bytes;

	name = pmu ? pmu + 2 : name;
	if (!strncasecmp(name, perf_prefix, strlen(perf_prefix)))
		name += strlen(perf_prefix);
	/* What follows says of which mode, or which of the equal ways to count them. */
	bytes = strcspn(name, ":.");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == bytes && !strncasecmp(name, words[i], bytes))
			return true;
	}
	return false;
}

static bool counts_instructions_for(const struct model *model, const struct pmu_event *counter,
				    const struct pmu_event *event)
{
	return counter->is_counted && counter != event && counter->user == event->user &&
	       counter->kernel == event->kernel && model->trace &&
	       event_is_instructions(trace_string(model->trace, counter->name));
}

bool event_per_1000_instructions(const struct model *model, size_t event,
				 const struct event_figures *figures, double *rate)
{
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (!counts_instructions_for(model, &model->pmu_events[i],
					     &model->pmu_events[event]))
			continue;
		if (!figures[event].measured || !figures[i].measured || figures[i].count <= 0)
			continue;
		*rate = figures[event].count / figures[i].count * 1000;
		return true;
	}
	return false;
}
