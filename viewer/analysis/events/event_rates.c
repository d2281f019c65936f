// SPDX-License-Identifier: GPL-2.0
#include "analysis/events/event_rates.h"

#include <math.h>
#include <string.h>

#include "analysis/stats/turn_estimate.h"

/* Of the normal distribution, what is beyond it on either side: one in 40. */
#define DEVIATIONS 1.959964

/*
 * The kernel throttles an event after the sample that was one too many. So a stretch between two
 * throttled stretches ends with that sample. If less than a tenth of the time was measured, the
 * rate there is the rate of throttling, not of the event.
 */
#define MOST_UNMEASURED 9

void event_add_sample(struct event_figures *figures, uint64_t period)
{
	figures->nr_samples++;
	figures->count += (double)period;
	figures->variance += (double)period * (double)period;
}

void event_add_share(struct event_figures *figures, double share, double count)
{
	figures->count += share * count;
	if (share < 1)
		figures->shared += fmax(share, 1 - share) * count;
}

/*
 * The largest number of samples that may have been due, if @nr were seen. It is the upper end of
 * Garwood's interval; Wilson and Hilferty's approximation gives the quantile of chi-squared.
 */
static double most_due(double nr)
{
	double n = nr + 1;

	return n * pow(1 - 1 / (9 * n) + DEVIATIONS / (3 * sqrt(n)), 3);
}

double event_samples_error(double count, double variance, double period)
{
	double nr;

	if (variance <= 0)
		return period * most_due(0);
	/* As many samples of one period as are as uncertain. */
	nr = count * count / variance;
	return variance / count * (most_due(nr) - nr);
}

double event_error(const struct model *model, size_t event, const struct event_figures *figures)
{
	const struct pmu_event *row = &model->pmu_events[event];

	if (figures->turns)
		return figures->shared + turn_estimate_of(figures->turns).error;
	if (row->is_counted)
		return figures->shared;
	return event_samples_error(figures->count, figures->variance, (double)row->period);
}

bool event_reliability_of(const struct model *model, size_t event,
			  const struct event_figures *figures,
			  struct event_reliability *reliability)
{
	double error;

	if (!figures->turns)
		return false;
	error = event_error(model, event, figures);
	reliability->measured_share = turn_estimate_of(figures->turns).share;
	reliability->reliability = 0;
	if (figures->measured && error < figures->count)
		reliability->reliability = 1 - error / figures->count;
	return true;
}

bool event_per_us(const struct event_figures *figures, double *rate)
{
	if (!figures->measured || !figures->on_cpu_ns)
		return false;
	if ((double)figures->unmeasured_ns > MOST_UNMEASURED * (double)figures->on_cpu_ns)
		return false;
	*rate = figures->count / ((double)figures->on_cpu_ns / 1000);
	return true;
}

/* Whether @name is one of @words; of which mode, or which of the equal ways to count it, is no matter. */
static bool is_called(const char *name, const char *const *words)
{
	static const char perf_prefix[] = "perf_count_hw_";
	const char *pmu = strstr(name, "::");
	size_t bytes;

	name = pmu ? pmu + 2 : name;
	if (!strncasecmp(name, perf_prefix, strlen(perf_prefix)))
		name += strlen(perf_prefix);
	bytes = strcspn(name, ":.");
	for (; *words; words++) {
		if (strlen(*words) == bytes && !strncasecmp(name, *words, bytes))
			return true;
	}
	return false;
}

bool event_is_instructions(const char *name)
{
	static const char *const words[] = {
		"instructions",
		"instruction_retired",
		"instructions_retired",
		"inst_retired",
		"instr_retired",
		"r00c0",
		"rc0",
		NULL,
	};

	return is_called(name, words);
}

bool event_is_cycles(const char *name)
{
	static const char *const words[] = {
		"cycles", "cpu-cycles", "cpu_cycles",	      "unhalted_core_cycles", "core_cycles",
		"r003c",  "r3c",	"cycles_not_in_halt", "ls_not_halted_cyc",    NULL,
	};

	return is_called(name, words);
}

static bool counts_instructions_for(const struct model *model, const struct pmu_event *counter,
				    const struct pmu_event *event)
{
	return counter->is_counted && counter != event && counter->user == event->user &&
	       counter->kernel == event->kernel && model->trace &&
	       event_is_instructions(trace_string(model->trace, counter->name));
}

/* Whether @event missed more than a hundredth of the time that @instructions were counted in. */
static bool missed_much(const struct event_figures *event, const struct event_figures *instructions)
{
	return event->on_cpu_ns <
	       instructions->on_cpu_ns - (uint64_t)(0.01 * (double)instructions->on_cpu_ns);
}

/* As far as both go when they go apart. */
struct event_ratio event_ratio(const struct model *model, size_t event, size_t instructions,
			       const struct event_figures *figures)
{
	double count = figures[event].count, of = figures[instructions].count;
	double error = event_error(model, event, figures + event);
	double error_of = event_error(model, instructions, figures + instructions);
	struct event_ratio ratio = { .value = count / of * 1000, .error = INFINITY };

	if (error_of < of && !missed_much(figures + event, figures + instructions))
		ratio.error = fmax((count + error) / (of - error_of) * 1000 - ratio.value,
				   ratio.value - fmax(count - error, 0) / (of + error_of) * 1000);
	return ratio;
}

size_t event_instructions_beside(const struct model *model, size_t event,
				 const struct event_figures *figures)
{
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (counts_instructions_for(model, &model->pmu_events[i],
					    &model->pmu_events[event]) &&
		    figures[i].measured && figures[i].count > 0)
			return i;
	}
	return SIZE_MAX;
}

bool event_per_1000_instructions(const struct model *model, size_t event,
				 const struct event_figures *figures, struct event_ratio *ratio)
{
	size_t instructions = SIZE_MAX;

	if (figures[event].measured)
		instructions = event_instructions_beside(model, event, figures);
	if (instructions == SIZE_MAX)
		return false;
	*ratio = event_ratio(model, event, instructions, figures);
	return true;
}
