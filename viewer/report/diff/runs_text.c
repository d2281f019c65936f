// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "report/diff/runs_text.h"
#include "report/diff/runs_verdict.h"
#include "util/text/figure.h"
#include "util/text/text.h"

#define NAME_COLUMNS 24

/* Between a finding's kind and its sentence. */
#define FINDING_FIGURES_COLUMNS 44

static void print_name(const struct runs_report *report, uint32_t name, FILE *out)
{
	text_print_name(out, string_table_get(report->runs->names, name), NAME_COLUMNS,
			NAME_COLUMNS);
}

static void print_sample(const struct sample *sample, struct figure mean, FILE *out)
{
	fprintf(out, " %7s", sample->nr ? mean.text : "-");
	if (sample->nr > 1 && sample->mean > 0)
		fprintf(out, " %5.1f%%", 100 * sample_noise(sample));
	else
		fputs("      -", out);
}

static const char *mark_of(const struct runs_value *value)
{
	if (!value->stands_out)
		return "";
	return value->test.estimate < 0 ? " less" : " MORE";
}

/* The change, its interval, and p; of a difference, which is in @units, no change. */
static void print_test(const struct runs_value *value, FILE *out)
{
	const struct welch_test *test = &value->test;

	if (!runs_value_is_compared(value))
		return;
	if (test->has_ratio)
		fprintf(out, " %+7.1f%%", 100 * test->estimate);
	else
		fputs("        -", out);
	if (test->has_ratio && test->is_tested)
		fprintf(out, " %+7.1f%% to %+6.1f%%", 100 * test->low, 100 * test->high);
	else
		fputs("                   -", out);
	if (test->is_tested)
		fprintf(out, " %7.2g%s", value->adjusted_p, mark_of(value));
}

static void print_time(const struct runs_report *report, const struct runs_task *task,
		       const struct runs_value *value, const char *what, FILE *out)
{
	print_name(report, task->name, out);
	fprintf(out, " %-6s", what);
	for (int side = 0; side < 2; side++)
		print_sample(&value->samples[side], runs_mean_ns(&value->samples[side], ""), out);
	print_test(value, out);
	fputc('\n', out);
}

static bool is_shown(const struct runs_report *report, const struct runs_task *task)
{
	return report->all || !runs_value_is_compared(&task->wall) || task->wall.stands_out ||
	       task->on_cpu.stands_out;
}

static void print_heading(const char *what, const char *second, int columns, FILE *out)
{
	fprintf(out,
		"\n%-*s %-*s  BEFORE  noise   AFTER  noise   change      95 %% interval       p\n",
		NAME_COLUMNS, what, columns, second);
}

static void print_tasks(const struct runs_report *report, FILE *out)
{
	size_t nr_left_out = 0;

	print_heading("TASK", "time", 6, out);
	for (size_t i = 0; i < report->diff->nr_tasks; i++) {
		const struct runs_task *task = &report->diff->tasks[i];

		if (!is_shown(report, task)) {
			nr_left_out++;
			continue;
		}
		print_time(report, task, &task->wall, "wall", out);
		print_time(report, task, &task->on_cpu, "on-CPU", out);
	}
	if (nr_left_out)
		fprintf(out,
			"%zu task%s whose change does not exceed the variation: --all shows them.\n",
			nr_left_out, text_plural(nr_left_out));
}

static void print_event(const struct runs_report *report, const struct runs_task *task,
			const struct runs_event *event, FILE *out)
{
	print_name(report, task->name, out);
	fputc(' ', out);
	print_name(report, event->name, out);
	for (int side = 0; side < 2; side++)
		print_sample(&event->count.samples[side],
			     figure_number(event->count.samples[side].mean), out);
	print_test(&event->count, out);
	fputc('\n', out);
}

static void print_events(const struct runs_report *report, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < report->diff->nr_tasks; i++) {
		const struct runs_task *task = &report->diff->tasks[i];

		for (size_t j = 0; j < task->nr_events; j++) {
			if (!any)
				print_heading("TASK", "EVENT (per instance)", NAME_COLUMNS, out);
			any = true;
			print_event(report, task, &task->events[j], out);
		}
	}
}

static void print_finding(const struct runs_report *report, const struct runs_finding *row,
			  FILE *out)
{
	const struct runs_value *lost = &row->lost;

	fprintf(out, "%-*s", NAME_COLUMNS, finding_kind_name(row->kind));
	for (int side = 0; side < 2; side++)
		fprintf(out, " %7s %3zu/%-3zu",
			row->nr_found[side] ? runs_mean_ns(&lost->samples[side], "").text : "-",
			row->nr_found[side], report->runs->nr[side]);
	if (lost->test.is_tested)
		fprintf(out, " %7.2g%-5s", lost->adjusted_p, mark_of(lost));
	else
		fprintf(out, "%13s", "");
	fputs("  ", out);
	text_print_wrapped(out, row->texts[1] ? row->texts[1] : row->texts[0], LINE_COLUMNS,
			   NAME_COLUMNS + FINDING_FIGURES_COLUMNS);
	fputc('\n', out);
}

static void print_findings(const struct runs_report *report, FILE *out)
{
	if (report->diff->nr_findings)
		fprintf(out,
			"\n%-*s  BEFORE in runs   AFTER in runs       p        (lost to the worst of its kind)\n",
			NAME_COLUMNS, "FINDING");
	for (size_t i = 0; i < report->diff->nr_findings; i++)
		print_finding(report, &report->diff->findings[i], out);
}

void runs_text(const struct runs_report *report, FILE *out)
{
	char *verdict = runs_verdict(report), *how = runs_how_compared(report);

	if (verdict)
		text_print_name(out, verdict, -1, 0);
	fputc('\n', out);
	losses_report_text(&report->losses, out);
	text_print_wrapped(out, how, LINE_COLUMNS, 0);
	fputc('\n', out);
	free(verdict);
	free(how);
	print_tasks(report, out);
	print_events(report, out);
	print_findings(report, out);
	why_report_text(&report->why, out);
	rules_report_text(&report->rules, out);
}
