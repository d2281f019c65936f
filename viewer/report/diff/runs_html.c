// SPDX-License-Identifier: GPL-2.0
/*
 * What differs between several runs a side, as a page without a script.
 */
#include <stdlib.h>

#include "report/diff/diff_page.h"
#include "report/diff/diff_report.h"
#include "report/diff/runs_html.h"
#include "report/diff/runs_verdict.h"
#include "util/text/figure.h"
#include "util/text/html_text.h"

static const char change_headings[] =
	"<th>before</th><th>noise</th><th>after</th><th>noise</th><th>change</th>"
	"<th>95 % interval</th><th title=\"of Welch's test, adjusted for all that is compared\">p</th>"
	"</tr></thead>\n<tbody>\n";

static void write_paths(const struct runs_report *report, int side, FILE *out)
{
	fputs(side ? "<p>After: " : "<p>Before: ", out);
	for (size_t i = 0; i < report->runs->nr[side]; i++) {
		fputs(i ? ", " : "", out);
		html_text_write(report->paths[side][i], out);
	}
	fputs("</p>\n", out);
}

static void write_head(const struct runs_report *report, FILE *out)
{
	char *verdict = runs_verdict(report), *how = runs_how_compared(report);

	write_paths(report, 0, out);
	write_paths(report, 1, out);
	fputs("<h1>", out);
	html_text_write(verdict ? verdict : "", out);
	fputs("</h1>\n", out);
	losses_report_html(&report->losses, out);
	fputs("<p>", out);
	html_text_write(how, out);
	fputs("</p>\n", out);
	free(verdict);
	free(how);
}

static void write_name(const char *name, FILE *out)
{
	fputs("<td class=\"left\">", out);
	html_text_write(name, out);
	fputs("</td>", out);
}

static void write_sample(const struct sample *sample, struct figure mean, FILE *out)
{
	diff_page_cell(sample->nr ? mean.text : "-", out);
	if (sample->nr > 1 && sample->mean > 0)
		fprintf(out, "<td>%.1f %%</td>", 100 * sample_noise(sample));
	else
		fputs("<td>-</td>", out);
}

static void write_test(const struct runs_value *value, FILE *out)
{
	const struct welch_test *test = &value->test;

	if (test->has_ratio)
		fprintf(out, "<td%s>%+.1f %%</td>",
			diff_page_class(value->stands_out, test->estimate < 0),
			100 * test->estimate);
	else
		fputs("<td>-</td>", out);
	if (test->has_ratio && test->is_tested)
		fprintf(out, "<td>%+.1f to %+.1f %%</td>", 100 * test->low, 100 * test->high);
	else
		fputs("<td>-</td>", out);
	if (test->is_tested)
		fprintf(out, "<td>%.2g</td>", value->adjusted_p);
	else
		fputs("<td>-</td>", out);
}

static void write_time(const struct runs_report *report, const struct runs_task *task,
		       const struct runs_value *value, const char *what, FILE *out)
{
	fputs("<tr>", out);
	write_name(string_table_get(report->runs->names, task->name), out);
	write_name(what, out);
	for (int side = 0; side < 2; side++)
		write_sample(&value->samples[side], runs_mean_ns(&value->samples[side], " "), out);
	write_test(value, out);
	fputs("</tr>\n", out);
}

static void write_tasks(const struct runs_report *report, FILE *out)
{
	const struct runs_diff *diff = report->diff;

	if (!diff->nr_tasks)
		return;
	fputs("<h2>Tasks</h2>\n<div class=\"scroll\"><table>\n<caption>The mean of a task's instances, over the runs, and "
	      "by how much runs differ (standard deviation). A change in colour exceeds that.</caption>\n"
	      "<thead><tr><th class=\"left\">task</th><th class=\"left\">time</th>",
	      out);
	fputs(change_headings, out);
	for (size_t i = 0; i < diff->nr_tasks && i < DIFF_MAX_ROWS; i++) {
		write_time(report, &diff->tasks[i], &diff->tasks[i].wall, "wall", out);
		write_time(report, &diff->tasks[i], &diff->tasks[i].on_cpu, "on CPU", out);
	}
	fputs("</tbody></table></div>\n", out);
	if (diff->nr_tasks > DIFF_MAX_ROWS)
		fprintf(out, "<p>And %zu more tasks.</p>\n", diff->nr_tasks - DIFF_MAX_ROWS);
}

static void write_event(const struct runs_report *report, const struct runs_task *task,
			const struct runs_event *event, FILE *out)
{
	fputs("<tr>", out);
	write_name(string_table_get(report->runs->names, task->name), out);
	write_name(string_table_get(report->runs->names, event->name), out);
	for (int side = 0; side < 2; side++)
		write_sample(&event->count.samples[side],
			     figure_number(event->count.samples[side].mean), out);
	write_test(&event->count, out);
	fputs("</tr>\n", out);
}

static void write_events(const struct runs_report *report, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < report->diff->nr_tasks && i < DIFF_MAX_ROWS; i++) {
		const struct runs_task *task = &report->diff->tasks[i];

		for (size_t j = 0; j < task->nr_events; j++) {
			if (!any)
				fprintf(out,
					"<h2>Events per instance</h2>\n<div class=\"scroll\"><table><thead><tr>"
					"<th class=\"left\">task</th><th class=\"left\">event</th>%s",
					change_headings);
			any = true;
			write_event(report, task, &task->events[j], out);
		}
	}
	if (any)
		fputs("</tbody></table></div>\n", out);
}

static void write_finding(const struct runs_report *report, const struct runs_finding *row,
			  FILE *out)
{
	const struct runs_value *lost = &row->lost;

	fputs("<tr>", out);
	write_name(finding_kind_name(row->kind), out);
	for (int side = 0; side < 2; side++) {
		fprintf(out, "<td%s>",
			side ? diff_page_class(lost->stands_out, lost->test.estimate < 0) : "");
		html_text_write(row->nr_found[side] ? runs_mean_ns(&lost->samples[side], " ").text :
						      "-",
				out);
		fprintf(out, "</td><td>%zu of %zu</td>", row->nr_found[side],
			report->runs->nr[side]);
	}
	if (lost->test.is_tested)
		fprintf(out, "<td>%.2g</td>", lost->adjusted_p);
	else
		fputs("<td>-</td>", out);
	fputs("<td class=\"text\">", out);
	html_text_write(row->texts[1] ? row->texts[1] : row->texts[0], out);
	fputs("</td></tr>\n", out);
}

static void write_findings(const struct runs_report *report, FILE *out)
{
	if (!report->diff->nr_findings)
		return;
	fputs("<h2>Findings</h2>\n<div class=\"scroll\"><table>\n<caption>Time lost to the worst of "
	      "each kind, over all runs, and in how many it was found.</caption>\n<thead><tr>"
	      "<th class=\"left\">kind</th><th>before</th><th>found in</th><th>after</th>"
	      "<th>found in</th><th>p</th><th class=\"left\">what</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < report->diff->nr_findings; i++)
		write_finding(report, &report->diff->findings[i], out);
	fputs("</tbody></table></div>\n", out);
}

void runs_html(const struct runs_report *report, FILE *out)
{
	diff_page_begin(out);
	write_head(report, out);
	write_tasks(report, out);
	write_events(report, out);
	write_findings(report, out);
	why_report_html(&report->why, out);
	rules_report_html(&report->rules, out);
	diff_page_end(out);
}
