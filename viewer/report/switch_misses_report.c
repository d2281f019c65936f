// SPDX-License-Identifier: GPL-2.0
/*
 * switch_misses: misses after switches, as text and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/memory/switch_misses.h"
#include "analysis/memory/switch_misses_findings.h"
#include "report/parts.h"
#include "util/units.h"

/* Nobody waits that long: 30 years. */
#define MOST_NS 1000000000000000000u

static void *analyse_part(const struct insights *insights)
{
	enum miss_level *levels = miss_levels(insights->model);
	struct switch_misses *misses = analyse_switch_misses(insights->model, levels);

	free(levels);
	return misses;
}

static void free_part(void *result)
{
	switch_misses_free(result);
}

static void find_part(const struct insights *insights, const void *result,
		      struct findings *findings)
{
	find_switch_misses(insights->model, result, findings);
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

static void print_burst(const struct event_switch_misses *event, const struct burst *burst,
			FILE *out)
{
	fprintf(out, " %8zu %8s %8s %8s %9s %7.3f\n", burst->nr_runs,
		figure_signed(burst->excess).text, figure_signed(burst->low).text,
		figure_signed(burst->high).text,
		figure_ns(misses_ns(event->level, burst->excess, MOST_NS), "").text,
		burst->p_value);
}

/* Of kinds that there are; @task: string id, or TRACE_NO_STRING: all. */
static void print_bursts(const struct model *model, const struct event_switch_misses *event,
			 const struct burst_result *bursts, uint32_t task, FILE *out)
{
	for (int after = 0; after < NR_SWITCH_AFTER; after++) {
		if (!bursts->of[after].known)
			continue;
		fputs("  ", out);
		print_name(out, task ? trace_string(model->trace, task) : "(all)", 16, 16);
		fprintf(out, " %-14s", switch_after_name((enum switch_after)after));
		print_burst(event, &bursts->of[after], out);
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
	const uint64_t *edges = switch_bins();

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
	const struct burst_result *bursts = &event->bursts;

	fputs("\n  ", out);
	print_name(out, event_name(model, event), 40, 0);
	fprintf(out, ", from %s; warm: ", is_counted(model, event) ? "counts" : "samples");
	if (bursts->warm_known)
		fprintf(out, "%s per us\n", figure_number(1000 * bursts->warm_per_ns).text);
	else
		fputs("not known, for runs are too much alike\n", out);
	if (event->nr_left_out)
		fprintf(out, "  (%zu runs were not measured all the time, and are left out)\n",
			event->nr_left_out);
	fprintf(out, "  %-16s %-14s %8s %8s %8s %8s %9s %7s\n", "task", "after", "switches",
		"excess", "low", "high", "time each", "p");
	print_bursts(model, event, bursts, TRACE_NO_STRING, out);
	for (size_t i = 0; i < event->nr_tasks; i++) {
		if (event->tasks[i].task != TRACE_NO_STRING)
			print_bursts(model, event, &event->tasks[i].bursts, event->tasks[i].task,
				     out);
	}
	if (!is_counted(model, event))
		print_curves(event, out);
}

static void print_part(const struct insights *insights, const void *result, FILE *out)
{
	const struct switch_misses *misses = result;

	fputs("MISSES AFTER SWITCHES: how many more than when warm, and per us since then\n", out);
	if (!misses->nr_events)
		fputs("  No event was measured that is a miss by its name.\n", out);
	for (size_t i = 0; i < misses->nr_events; i++)
		print_event(insights->model, &misses->events[i], out);
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

static void write_burst(struct json *json, const struct event_switch_misses *event,
			const struct burst_result *bursts, enum switch_after after)
{
	const struct burst *burst = &bursts->of[after];

	json_begin_object(json);
	json_key_string(json, "after", switch_after_name(after));
	json_key_u64(json, "switches", burst->nr_runs);
	json_key_known_double(json, "per_switch", burst->known, burst->excess);
	json_key_known_double(json, "low", burst->known, burst->low);
	json_key_known_double(json, "high", burst->known, burst->high);
	json_key_known_double(json, "ns_per_switch", burst->known,
			      switch_cost_ns(event->level, burst));
	json_key_known_double(json, "p_value", burst->known, burst->p_value);
	json_end_object(json);
}

static void write_excess(struct json *json, const struct event_switch_misses *event,
			 const struct burst_result *bursts)
{
	json_key_known_double(json, "warm_rate_per_us", bursts->warm_known,
			      1000 * bursts->warm_per_ns);
	json_key(json, "excess");
	json_begin_array(json);
	for (int after = 0; after < NR_SWITCH_AFTER; after++)
		write_burst(json, event, bursts, (enum switch_after)after);
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
		write_excess(json, event, &task->bursts);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_bins(struct json *json)
{
	json_key(json, "bins_us");
	json_begin_array(json);
	for (int bin = 0; bin < NR_SWITCH_BINS; bin++)
		json_u64(json, switch_bins()[bin] / 1000);
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
	write_bins(json);
	json_key(json, "curves");
	json_begin_array(json);
	for (int after = 0; after < NR_SWITCH_AFTER && !counted; after++)
		write_curve(json, model, event, (enum switch_after)after);
	json_end_array(json);
	write_excess(json, event, &event->bursts);
	write_tasks(json, model, event);
}

static void write_part(const struct insights *insights, const void *result, struct json *json)
{
	const struct switch_misses *misses = result;

	if (!misses->nr_events) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	write_event(json, insights->model, &misses->events[0]);
	json_key(json, "others");
	json_begin_array(json);
	for (size_t i = 1; i < misses->nr_events; i++) {
		json_begin_object(json);
		write_event(json, insights->model, &misses->events[i]);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

const struct insight_part switch_misses_part = {
	.name = "switch_misses",
	.help = "cache misses by the time since a thread was switched in",
	.analyse = analyse_part,
	.free = free_part,
	.find = find_part,
	.text = print_part,
	.json = write_part,
};
