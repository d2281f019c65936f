// SPDX-License-Identifier: GPL-2.0
/*
 * switch_misses: misses after switches, as text and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/memory/switch_misses.h"
#include "analysis/memory/switch_misses_findings.h"
#include "report/analyses/load_latency_report.h"
#include "report/analysis_list.h"
#include "report/schema/cache_members.h"
#include "report/schema/miss_cost_members.h"
#include "util/text/figure.h"
#include "util/text/text.h"

/* Nobody waits that long: 30 years. */
#define MOST_NS 1000000000000000000u

static void *switch_misses_report_compute(const struct analyses *analyses)
{
	enum miss_level *levels = miss_levels_of_model(analyses->model);
	struct switch_misses *misses = switch_misses_compute(analyses->model, levels,
							     load_latency_report_costs(analyses));

	free(levels);
	return misses;
}

static void switch_misses_report_free(void *result)
{
	switch_misses_free(result);
}

static void switch_misses_report_add_findings(const struct analyses *analyses, const void *result,
					      struct findings *findings)
{
	switch_misses_add_findings(analyses->model, result, findings);
}

static const char *event_name(const struct model *model, const struct event_switch_misses *event)
{
	return trace_string(model->trace, model->pmu_events[event->event].name);
}

static bool is_counted(const struct model *model, const struct event_switch_misses *event)
{
	return model->pmu_events[event->event].is_counted;
}

static struct figure figure_signed(double number)
{
	struct figure figure = figure_number(fabs(number)), text = { "-" };

	if (number >= 0)
		return figure;
	snprintf(text.text, sizeof(text.text), "-%.20s", figure.text);
	return text;
}

static void print_excess(const struct event_switch_misses *event,
			 const struct switch_excess *excess, FILE *out)
{
	fprintf(out, " %8zu %8s %8s %8s %9s %7.3f\n", excess->nr_runs,
		figure_signed(excess->mean).text, figure_signed(excess->low).text,
		figure_signed(excess->high).text,
		figure_ns(miss_total_ns(event->cost.ns, excess->mean, MOST_NS), "").text,
		excess->p_value);
}

/* Of kinds that there are; @task: string id, or TRACE_NO_STRING: all. */
static void print_excesses(const struct model *model, const struct event_switch_misses *event,
			   const struct switch_excess_result *excesses, uint32_t task, FILE *out)
{
	for (int after = 0; after < NR_SWITCH_AFTER; after++) {
		if (!excesses->of[after].known)
			continue;
		fputs("  ", out);
		text_print_name(out, task ? trace_string(model->trace, task) : "(all)", 16, 16);
		fprintf(out, " %-14s", switch_after_name((enum switch_after)after));
		print_excess(event, &excesses->of[after], out);
	}
}

static bool bin_rate(const struct switch_curve *curve, int bin, double *per_us)
{
	*per_us = 1000 * curve->misses[bin] / curve->ns[bin];
	return curve->ns[bin] > 0;
}

/* One standard deviation; of none, that of one sample. */
static double bin_error(const struct model *model, const struct event_switch_misses *event,
			const struct switch_curve *curve, int bin)
{
	double period = (double)model->pmu_events[event->event].period;

	if (curve->variance[bin] > 0)
		return 1000 * sqrt(curve->variance[bin]) / curve->ns[bin];
	return 1000 * period / curve->ns[bin];
}

static struct figure bin_name(int bin)
{
	struct figure figure;
	const uint64_t *edges = switch_misses_bins();

	if (bin == NR_SWITCH_BINS - 1)
		snprintf(figure.text, sizeof(figure.text), ">%" PRIu64, edges[bin] / 1000);
	else
		snprintf(figure.text, sizeof(figure.text), "<%" PRIu64, edges[bin + 1] / 1000);
	return figure;
}

static void print_curves(const struct event_switch_misses *event, FILE *out)
{
	fprintf(out, "  %-14s", "us since then");
	for (int bin = 0; bin < NR_SWITCH_BINS; bin++)
		fprintf(out, " %7s", bin_name(bin).text);
	fputc('\n', out);
	for (int after = 0; after < NR_SWITCH_AFTER; after++) {
		const struct switch_curve *curve = &event->curves[after];

		fprintf(out, "  %-14s", switch_after_name((enum switch_after)after));
		for (int bin = 0; bin < NR_SWITCH_BINS; bin++) {
			double per_us;
			bool known = bin_rate(curve, bin, &per_us);

			fprintf(out, " %7s", known ? figure_number(per_us).text : "-");
		}
		fputc('\n', out);
	}
}

static void print_event(const struct model *model, const struct event_switch_misses *event,
			FILE *out)
{
	const struct switch_excess_result *excesses = &event->excesses;

	fputs("\n  ", out);
	text_print_name(out, event_name(model, event), 40, 0);
	fprintf(out, ", from %s; warm: ", is_counted(model, event) ? "counts" : "samples");
	if (excesses->warm_known)
		fprintf(out, "%s per us\n", figure_number(1000 * excesses->warm_per_ns).text);
	else
		fputs("not known: runs are too similar\n", out);
	if (event->nr_left_out)
		fprintf(out, "  (%zu runs were not measured all the time, and are left out)\n",
			event->nr_left_out);
	fprintf(out, "  %-16s %-14s %8s %8s %8s %8s %9s %7s\n", "task", "after", "switches",
		"excess", "low", "high", "time each", "p");
	print_excesses(model, event, excesses, TRACE_NO_STRING, out);
	for (size_t i = 0; i < event->nr_tasks; i++) {
		if (event->tasks[i].task != TRACE_NO_STRING)
			print_excesses(model, event, &event->tasks[i].excesses,
				       event->tasks[i].task, out);
	}
	if (!is_counted(model, event))
		print_curves(event, out);
}

static void switch_misses_report_write_text(const struct analyses *analyses, const void *result,
					    FILE *out)
{
	const struct switch_misses *misses = result;

	fputs("MISSES AFTER SWITCHES: excess over warm runs, and rate by the time since the switch\n",
	      out);
	if (!misses->nr_events)
		fputs("  No event that was measured is a miss by its name.\n", out);
	for (size_t i = 0; i < misses->nr_events; i++)
		print_event(analyses->model, &misses->events[i], out);
}

static void write_curve(struct json *json, const struct model *model,
			const struct event_switch_misses *event, enum switch_after after)
{
	const struct switch_curve *curve = &event->curves[after];
	double per_us;

	json_begin_object(json);
	json_key_string(json, "after", switch_after_name(after));
	json_key_u64(json, "switches", curve->nr_runs);
	json_key(json, "rate_per_us");
	json_begin_array(json);
	for (int bin = 0; bin < NR_SWITCH_BINS; bin++) {
		if (bin_rate(curve, bin, &per_us))
			json_double(json, per_us);
		else
			json_null(json);
	}
	json_end_array(json);
	json_key(json, "error");
	json_begin_array(json);
	for (int bin = 0; bin < NR_SWITCH_BINS; bin++) {
		if (bin_rate(curve, bin, &per_us))
			json_double(json, bin_error(model, event, curve, bin));
		else
			json_null(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static void write_kind_excess(struct json *json, const struct event_switch_misses *event,
			      const struct switch_excess_result *excesses, enum switch_after after)
{
	const struct switch_excess *excess = &excesses->of[after];

	json_begin_object(json);
	json_key_string(json, "after", switch_after_name(after));
	json_key_u64(json, "switches", excess->nr_runs);
	json_key_known_double(json, "per_switch", excess->known, excess->mean);
	json_key_known_double(json, "low", excess->known, excess->low);
	json_key_known_double(json, "high", excess->known, excess->high);
	json_key_known_double(json, "ns_per_switch", excess->known,
			      switch_misses_cost_ns(&event->cost, excess));
	json_key_known_double(json, "p_value", excess->known, excess->p_value);
	json_end_object(json);
}

static void write_excess(struct json *json, const struct event_switch_misses *event,
			 const struct switch_excess_result *excesses)
{
	json_key_known_double(json, "warm_rate_per_us", excesses->warm_known,
			      1000 * excesses->warm_per_ns);
	json_key(json, "excess");
	json_begin_array(json);
	for (int after = 0; after < NR_SWITCH_AFTER; after++)
		write_kind_excess(json, event, excesses, (enum switch_after)after);
	json_end_array(json);
}

static void write_tasks(struct json *json, const struct model *model,
			const struct event_switch_misses *event)
{
	json_key(json, "tasks");
	json_begin_array(json);
	for (size_t i = 0; i < event->nr_tasks; i++) {
		const struct task_switch_misses *task = &event->tasks[i];

		json_begin_object(json);
		json_key(json, "task");
		if (task->task == TRACE_NO_STRING)
			json_null(json);
		else
			json_string(json, trace_string(model->trace, task->task));
		json_key_u64(json, "switches", task->nr_runs);
		write_excess(json, event, &task->excesses);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_bins(struct json *json)
{
	json_key(json, "bins_us");
	json_begin_array(json);
	for (int bin = 0; bin < NR_SWITCH_BINS; bin++)
		json_u64(json, switch_misses_bins()[bin] / 1000);
	json_null(json); /* the last has no end */
	json_end_array(json);
}

static void write_event(struct json *json, const struct model *model,
			const struct event_switch_misses *event)
{
	bool counted = is_counted(model, event);

	json_key_string(json, "event", event_name(model, event));
	json_key_string(json, "level", miss_level_name(event->level));
	json_key_string(json, "from", counted ? "counts" : "samples");
	json_key_u64(json, "left_out", event->nr_left_out);
	miss_cost_json(json, &event->cost);
	write_bins(json);
	json_key(json, "curves");
	json_begin_array(json);
	for (int after = 0; after < NR_SWITCH_AFTER && !counted; after++)
		write_curve(json, model, event, (enum switch_after)after);
	json_end_array(json);
	write_excess(json, event, &event->excesses);
	write_tasks(json, model, event);
}

static void switch_misses_report_write_json(const struct analyses *analyses, const void *result,
					    struct json *json)
{
	const struct switch_misses *misses = result;

	if (!misses->nr_events) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	write_event(json, analyses->model, &misses->events[0]);
	json_key(json, "others");
	json_begin_array(json);
	for (size_t i = 1; i < misses->nr_events; i++) {
		json_begin_object(json);
		write_event(json, analyses->model, &misses->events[i]);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_SWITCH_MISSES,
		"caches are cold after a switch",
		"While a thread was off its CPU, other threads filled the caches with their data; or the "
		"thread moved to a CPU whose caches do not hold its data. When it runs again, it misses "
		"data that was cached before.",
		"annot counts the misses at the begin of each slice, above the rate of the same thread "
		"later on in the same task. It gives an interval (bootstrap) and the probability of "
		"chance (permutation test, below 1 %). It subtracts the misses of slices before which "
		"no other thread ran.",
		"In the page, misses are dense where a slice begins. annot report --show switch_misses "
		"prints their rate by the time since the switch.",
		CATALOGUE_CURES(
			"Switch less often: longer time slices (SCHED_BATCH), fewer threads, more work "
			"between two waits.",
			"Keep the other program off this CPU and off CPUs that share its caches (cpusets). "
			"resctrl can reserve a part of the last-level cache.",
			"If the thread migrates, pin it.",
			"A smaller working set is reloaded faster: see working-set."),
	},
	{ 0 },
};

const struct analysis_desc switch_misses_analysis = {
	.name = "switch_misses",
	.help = "extra cache misses after a switch",
	.catalogue = catalogue,
	.compute = switch_misses_report_compute,
	.needs = &load_latency_analysis,
	.free = switch_misses_report_free,
	.add_findings = switch_misses_report_add_findings,
	.write_text = switch_misses_report_write_text,
	.write_json = switch_misses_report_write_json,
	.members = switch_misses_members,
	.may_be_null = true,
};
