// SPDX-License-Identifier: GPL-2.0
/*
 * What was measured, for people: the events, and how often each happened in each task.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <uapi/annot.h>

#include "analysis/events/event_caveats.h"
#include "analysis/tasks/task_events.h"
#include "report/report.h"
#include "report/report_events.h"
#include "util/text/figure.h"
#include "util/text/text.h"

/* The columns of either table behind the name, for which the rest of the line is left. */
#define EVENT_FIGURES_COLUMNS 68
#define TASK_FIGURES_COLUMNS 62
#define MAX_EVENT_COLUMNS 28
#define MIN_NAME_COLUMNS 6
/* So many events stand in a line that tells of more. */
#define MOST_NAMED 3
#define MAX_NAMED_COLUMNS 24

static const char *event_name(const struct model *model, size_t event)
{
	return trace_string(model->trace, model->pmu_events[event].name);
}

static uint64_t gaps_ns(const struct model *model, size_t event, uint8_t state)
{
	const struct pmu_gap_table *gaps = &model->pmu_gaps;
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < gaps->nr; i++) {
		if (gaps->event[i] == event && gaps->state[i] == state)
			sum_ns += gaps->end_ns[i] - gaps->start_ns[i];
	}
	return sum_ns;
}

static void print_gaps(const struct model *model, size_t event, uint8_t state, const char *why,
		       FILE *out)
{
	uint64_t sum_ns = gaps_ns(model, event, state);

	if (!sum_ns)
		return;
	fputs("*** ", out);
	text_print_name(out, event_name(model, event), MAX_EVENT_COLUMNS, 0);
	fprintf(out, " was not measured for %s (all CPUs together): %s.\n\n",
		figure_ns(sum_ns, " ").text, why);
}

static void print_losses(const struct model *model, size_t at, FILE *out)
{
	const struct pmu_event *event = &model->pmu_events[at];

	print_gaps(model, at, ANNOT_PMU_THROTTLED, "it interrupted too often", out);
	print_gaps(model, at, ANNOT_PMU_FAILED, "no counter was free", out);
	print_gaps(model, at, PMU_GAP_UNREAD, "its counters could not be read", out);
	if (event->nr_lost) {
		fprintf(out, "*** SAMPLES WERE LOST: %" PRIu64 " of ", event->nr_lost);
		text_print_name(out, event_name(model, at), MAX_EVENT_COLUMNS, 0);
		fputs(".\n\n", out);
	}
	if (event->enough_ns < model->duration_ns) {
		fputs("*** ", out);
		text_print_name(out, event_name(model, at), MAX_EVENT_COLUMNS, 0);
		fprintf(out, " had enough samples after %s, and was not measured from there.\n\n",
			figure_ns(event->enough_ns, " ").text);
	}
}

/* The least and the greatest part of the time for which an event was counted that took turns. Returns how many did. */
static size_t find_shares(const struct model *model, const struct event_figures *events,
			  double *least, double *most)
{
	struct event_reliability own;
	size_t nr = 0;

	*least = 1;
	*most = 0;
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (!event_reliability_of(model, event, &events[event], &own))
			continue;
		nr++;
		*least = fmin(*least, own.measured_share);
		*most = fmax(*most, own.measured_share);
	}
	return nr;
}

void report_event_turns(const struct report *report, FILE *out)
{
	double least, most;
	size_t nr = find_shares(report->model, report->stats->events, &least, &most);

	if (nr)
		fprintf(out,
			"*** %zu events took turns: there were too few counters. They were counted for %.0f %% to %.0f %%"
			"\n    of the time; their counts are estimates.\n\n",
			nr, least * 100, most * 100);
}

void report_event_losses(const struct model *model, FILE *out)
{
	const struct trace_info *info = trace_info(model->trace);
	uint64_t nr_damaged = model->nr_odd_counts;

	for (size_t event = 0; event < model->nr_pmu_events; event++)
		print_losses(model, event, out);
	for (int i = TRACE_DAMAGED_SAMPLE; i < NR_TRACE_DAMAGES; i++)
		nr_damaged += info->nr_damaged[i];
	if (nr_damaged)
		fprintf(out,
			"*** %" PRIu64 " record%s of measurements %s damaged, and left out."
			"\n\n",
			nr_damaged, text_plural(nr_damaged), nr_damaged == 1 ? "is" : "are");
}

static void print_precise(const struct pmu_event *event, FILE *out)
{
	char text[16] = "-";

	if (!event->is_counted && event->precise == event->precise_asked)
		snprintf(text, sizeof(text), "%u", event->precise);
	else if (!event->is_counted)
		snprintf(text, sizeof(text), "%u of %u", event->precise, event->precise_asked);
	fprintf(out, " %7s", text);
}

static void print_event(const struct model *model, size_t at, const struct event_figures *figures,
			int width, FILE *out)
{
	const struct pmu_event *event = &model->pmu_events[at];
	double error = event_error(model, at, figures);

	text_print_name(out, event_name(model, at), width, width);
	fprintf(out, " %-6s %-6s", event->is_counted ? "count" : "sample",
		event->user && event->kernel ? "both" :
		event->user		     ? "user" :
		event->kernel		     ? "kernel" :
					       "-");
	if (event->error) {
		fprintf(out, " refused: %s\n", strerror(event->error));
		return;
	}
	if (event->is_counted)
		fprintf(out, " %8s", "-");
	else
		fprintf(out, " %8s", figure_count(event->period).text);
	print_precise(event, out);
	fprintf(out, " %8s %7s %7s %8s\n",
		event->is_counted ? "-" : figure_count(figures->nr_samples).text,
		figures->measured ? figure_number(figures->count).text : "-",
		figures->measured ? figure_error(error, figures->count).text : "-",
		event->is_counted ? "-" : figure_count(event->nr_lost).text);
}

/* Returns whether an event has it. */
static bool print_caveat(const struct model *model, enum event_caveat caveat, FILE *out)
{
	size_t nr = 0;

	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (!event_has_caveat(model, event, caveat))
			continue;
		if (nr++ >= MOST_NAMED)
			continue;
		fputs(nr == 1 ? "Of " : ", ", out);
		text_print_name(out, event_name(model, event), MAX_NAMED_COLUMNS, 0);
	}
	if (nr > MOST_NAMED)
		fprintf(out, " and %zu more", nr - MOST_NAMED);
	if (nr)
		fprintf(out, ":\n    %s.\n", event_caveat_text(caveat));
	return nr;
}

/* Those that no line with asterisks has told. */
static void print_caveats(const struct model *model, FILE *out)
{
	bool is_any = false;

	for (enum event_caveat caveat = EVENT_CAVEAT_SKID; caveat <= EVENT_CAVEAT_SMT; caveat++)
		is_any |= print_caveat(model, caveat, out);
	if (is_any)
		fputc('\n', out);
}

static void print_event_table(const struct report *report, FILE *out)
{
	const struct model *model = report->model;
	int width = MIN_NAME_COLUMNS;

	for (size_t event = 0; event < model->nr_pmu_events; event++)
		width = text_widest(width, event_name(model, event),
				    LINE_COLUMNS - EVENT_FIGURES_COLUMNS);
	fprintf(out, "%-*s %-6s %-6s %8s %7s %8s %7s %7s %8s\n", width, "EVENT", "how", "mode",
		"period", "precise", "samples", "count", "error", "lost");
	for (size_t event = 0; event < model->nr_pmu_events; event++)
		print_event(model, event, &report->stats->events[event], width, out);
	fputc('\n', out);
	print_caveats(model, out);
}

static void print_task_event(const struct model *model, size_t event,
			     const struct event_figures *events, FILE *out)
{
	const struct event_figures *figures = &events[event];
	double error = event_error(model, event, figures), per_us;
	struct event_ratio mpki;

	fprintf(out, " %8s %7s %7s",
		model->pmu_events[event].is_counted ? "-" : figure_count(figures->nr_samples).text,
		figure_number(figures->count).text, figure_error(error, figures->count).text);
	fprintf(out, " %8s", event_per_us(figures, &per_us) ? figure_number(per_us).text : "-");
	if (event_per_1000_instructions(model, event, events, &mpki))
		fprintf(out, " %7s %7s", figure_number(mpki.value).text,
			figure_error(mpki.error, mpki.value).text);
	else
		fprintf(out, " %7s %7s", "-", "-");
	fprintf(out, " %7s\n", figure_ns(figures->on_cpu_ns, "").text);
}

static void print_task(const struct report *report, const struct task *task, int name_width,
		       int event_width, FILE *out)
{
	const struct model *model = report->model;

	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		/* That none was to be had is told once, of the event. */
		if (model->pmu_events[event].error)
			continue;
		text_print_name(out, trace_string(model->trace, task->name), name_width,
				name_width);
		fputc(' ', out);
		text_print_name(out, event_name(model, event), event_width, event_width);
		if (task->events[event].measured)
			print_task_event(model, event, task->events, out);
		else
			fprintf(out, " %8s %7s %7s %8s %7s %7s %7s\n", "-", "-", "-", "-", "-", "-",
				"-");
	}
}

static void print_task_table(const struct report *report, FILE *out)
{
	const struct task_stats *stats = report->stats;
	const struct model *model = report->model;
	int event_width = MIN_NAME_COLUMNS, name_width = MIN_NAME_COLUMNS;

	for (size_t event = 0; event < model->nr_pmu_events; event++)
		event_width = text_widest(event_width, event_name(model, event), MAX_EVENT_COLUMNS);
	for (size_t i = 0; i < stats->nr_tasks; i++)
		name_width = text_widest(name_width,
					 trace_string(model->trace, stats->tasks[i].name),
					 LINE_COLUMNS - TASK_FIGURES_COLUMNS - event_width);
	fprintf(out, "%-*s %-*s %8s %7s %7s %8s %7s %7s %7s\n", name_width, "TASK", event_width,
		"event", "samples", "count", "error", "per us", "MPKI", "error", "on-CPU");
	for (size_t i = 0; i < stats->nr_tasks; i++)
		print_task(report, &stats->tasks[report->tasks[i]], name_width, event_width, out);
	fputc('\n', out);
}

void report_events(const struct report *report, FILE *out)
{
	if (!report->model->nr_pmu_events)
		return;
	print_event_table(report, out);
	if (report->stats->nr_tasks)
		print_task_table(report, out);
}
