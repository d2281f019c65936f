// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/diff/diff_report.h"
#include "report/diff/diff_text.h"
#include "util/text/figure.h"
#include "util/text/text.h"

#define NAME_COLUMNS 24

const char *diff_less_or_more(double change)
{
	return change < 0 ? "less" : "more";
}

/* What of the tasks stands out and took most time; NULL: nothing. */
static const struct diff_task *main_task(const struct diff *diff)
{
	for (size_t i = 0; i < diff->nr_tasks; i++) {
		if (diff->tasks[i].wall.stands_out || diff->tasks[i].on_cpu.stands_out)
			return &diff->tasks[i];
	}
	return NULL;
}

static const struct diff_event *main_event(const struct diff *diff, const struct diff_task **task)
{
	const struct diff_event *most = NULL;

	for (size_t i = 0; i < diff->nr_tasks; i++) {
		for (size_t j = 0; j < diff->tasks[i].nr_events; j++) {
			const struct diff_event *event = &diff->tasks[i].events[j];
			double difference = fabs(event->counts[1] - event->counts[0]);

			if (!event->stands_out ||
			    (most && difference <= fabs(most->counts[1] - most->counts[0])))
				continue;
			most = event;
			*task = &diff->tasks[i];
		}
	}
	return most;
}

static void print_task_verdict(const struct diff_task *task, FILE *out)
{
	bool wall = task->wall.stands_out;
	const struct diff_time *time = wall ? &task->wall : &task->on_cpu;

	fprintf(out, "; %s takes ", task->name);
	if (isfinite(time->change))
		fprintf(out, "%.0f %% %s ", 100 * fabs(time->change),
			diff_less_or_more(time->change));
	fprintf(out, "time%s (median %s, was %s)", wall ? "" : " on CPUs",
		figure_ns(time->spreads[1].median, " ").text,
		figure_ns(time->spreads[0].median, " ").text);
}

static void print_event_verdict(const struct diff_task *task, const struct diff_event *event,
				FILE *out)
{
	if (isfinite(event->change))
		fprintf(out, "; %s in %s: %.0f %% %s", event->name, task->name,
			100 * fabs(event->change), diff_less_or_more(event->change));
	else
		fprintf(out, "; %s in %s are new", event->name, task->name);
}

static void print_findings_verdict(const struct diff *diff, FILE *out)
{
	for (size_t i = 0; i < diff->nr_findings; i++) {
		const struct diff_finding *row = &diff->findings[i];
		const char *name = finding_kind_name(row->kind);

		if (!row->texts[1])
			fprintf(out, "; %s is gone", name);
		else if (!row->texts[0])
			fprintf(out, "; %s is new", name);
		else if (row->stands_out)
			fprintf(out, "; %s costs %s", name,
				diff_less_or_more((double)row->lost_ns[1] -
						  (double)row->lost_ns[0]));
	}
}

/* Of the session as a whole, of which there is but one instance. */
static const char *speed_word(const struct diff *diff)
{
	double before_ns = (double)diff->session_ns[0], after_ns = (double)diff->session_ns[1];

	if (fabs(after_ns - before_ns) < DIFF_LEAST_CHANGE * before_ns)
		return "As fast as before";
	return after_ns < before_ns ? "Faster" : "Slower";
}

char *diff_verdict(const struct diff *diff)
{
	const struct diff_task *task = main_task(diff), *missing = NULL;
	const struct diff_event *event = main_event(diff, &missing);
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	if (!out)
		return NULL;
	fputs(diff->stands_out ? speed_word(diff) : "No difference exceeds the spread", out);
	fprintf(out, ": %s, was %s", figure_ns(diff->session_ns[1], " ").text,
		figure_ns(diff->session_ns[0], " ").text);
	if (task)
		print_task_verdict(task, out);
	if (event)
		print_event_verdict(missing, event, out);
	if (diff->stands_out)
		print_findings_verdict(diff, out);
	fclose(out);
	return text;
}

static void print_spread(const struct spread *spread, FILE *out)
{
	if (spread->nr)
		fprintf(out, " %6s %6s %6s", figure_ns(spread->low, "").text,
			figure_ns(spread->median, "").text, figure_ns(spread->high, "").text);
	else
		fputs("      -      -      -", out);
}

/* Seven columns. */
static void print_change(double change, FILE *out)
{
	if (isfinite(change))
		fprintf(out, "%+6.0f%%", 100 * change);
	else
		fputs("    new", out);
}

static void print_time(const struct diff_task *task, const struct diff_time *time, const char *what,
		       FILE *out)
{
	text_print_name(out, task->name, NAME_COLUMNS, NAME_COLUMNS);
	fprintf(out, " %-6s %6s", what, figure_count(time->spreads[0].nr).text);
	print_spread(&time->spreads[0], out);
	fprintf(out, " %6s", figure_count(time->spreads[1].nr).text);
	print_spread(&time->spreads[1], out);
	if (time->spreads[0].nr && time->spreads[1].nr) {
		fputc(' ', out);
		print_change(time->change, out);
		fprintf(out, " %7.2g %s", time->p_value,
			!time->stands_out ? "" :
			time->change < 0  ? "less" :
					    "MORE");
	}
	fputc('\n', out);
}

static void print_tasks(const struct diff_report *report, FILE *out)
{
	const struct diff *diff = report->diff;
	size_t nr_left_out = 0;

	fprintf(out, "\n%-*s               BEFORE: quarter, median      AFTER\n", NAME_COLUMNS, "");
	fprintf(out,
		"%-*s time    count   25 %%   50 %%   75 %%  count   25 %%   50 %%   75 %%  change"
		"       p\n",
		NAME_COLUMNS, "TASK");
	for (size_t i = 0; i < diff->nr_tasks; i++) {
		const struct diff_task *task = &diff->tasks[i];
		bool is_new = !task->wall.spreads[0].nr || !task->wall.spreads[1].nr;

		if (report->all || is_new || task->wall.stands_out || task->on_cpu.stands_out) {
			print_time(task, &task->wall, "wall", out);
			print_time(task, &task->on_cpu, "on-CPU", out);
		} else {
			nr_left_out++;
		}
	}
	if (nr_left_out)
		fprintf(out,
			"%zu task%s whose change does not exceed the spread: --all shows them.\n",
			nr_left_out, text_plural(nr_left_out));
}

static void print_events(const struct diff_report *report, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < report->diff->nr_tasks; i++) {
		const struct diff_task *task = &report->diff->tasks[i];

		for (size_t j = 0; j < task->nr_events; j++) {
			const struct diff_event *event = &task->events[j];

			if (!any)
				fprintf(out,
					"\n%-*s %-*s  BEFORE   AFTER  change   (per instance)\n",
					NAME_COLUMNS, "TASK", NAME_COLUMNS, "EVENT");
			any = true;
			text_print_name(out, task->name, NAME_COLUMNS, NAME_COLUMNS);
			fputc(' ', out);
			text_print_name(out, event->name, NAME_COLUMNS, NAME_COLUMNS);
			fprintf(out, " %7s %7s ", figure_number(event->counts[0]).text,
				figure_number(event->counts[1]).text);
			print_change(event->change, out);
			fprintf(out, " %s\n", event->stands_out ? "stands out" : "");
		}
	}
}

/* Between a finding's kind and its sentence. */
#define FINDING_FIGURES_COLUMNS 18

static void print_findings(const struct diff *diff, FILE *out)
{
	if (diff->nr_findings)
		fprintf(out, "\n%-*s  BEFORE   AFTER  (lost to the worst of its kind)\n",
			NAME_COLUMNS, "FINDING");
	for (size_t i = 0; i < diff->nr_findings; i++) {
		const struct diff_finding *row = &diff->findings[i];
		const char *text = row->texts[1] ? row->texts[1] : row->texts[0];

		fprintf(out, "%-*s %7s %7s  ", NAME_COLUMNS, finding_kind_name(row->kind),
			row->texts[0] ? figure_ns(row->lost_ns[0], "").text : "-",
			row->texts[1] ? figure_ns(row->lost_ns[1], "").text : "-");
		text_print_wrapped(out, text, LINE_COLUMNS, NAME_COLUMNS + FINDING_FIGURES_COLUMNS);
		fputc('\n', out);
	}
}

void diff_text(const struct diff_report *report, FILE *out)
{
	char *verdict = diff_verdict(report->diff);

	if (verdict)
		text_print_name(out, verdict, -1, 0);
	free(verdict);
	fputc('\n', out);
	losses_report_text(&report->losses, out);
	print_tasks(report, out);
	print_events(report, out);
	print_findings(report->diff, out);
	why_report_text(&report->why, out);
	rules_report_text(&report->rules, out);
}
