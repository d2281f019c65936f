// SPDX-License-Identifier: GPL-2.0
#include "analysis/tasks/clock_rate.h"

#include "analysis/events/event_rates.h"

/* What no core has is no clock's rate. */
#define LEAST_GHZ 0.1
#define MOST_GHZ 10.0

double clock_rate_counted_ghz(const struct model *model, const struct task_stats *stats)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		const struct pmu_event *row = &model->pmu_events[event];
		double cycles = 0, ns = 0;

		if (!row->is_counted || !row->user || !row->kernel || row->is_merged ||
		    !event_is_cycles(trace_string(model->trace, row->name)))
			continue;
		for (uint32_t i = 0; i < model->nr_threads; i++) {
			cycles += stats->threads[i].events[event].count;
			ns += (double)stats->threads[i].events[event].on_cpu_ns;
		}
		if (cycles >= LEAST_GHZ * ns && cycles <= MOST_GHZ * ns && ns > 0)
			return cycles / ns;
	}
	return 0;
}
