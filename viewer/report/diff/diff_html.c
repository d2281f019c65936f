// SPDX-License-Identifier: GPL-2.0
/*
 * What differs, as a page without a script: the verdict; each task with the range of the middle
 * half of its instances before and after; events; findings.
 */
#include <math.h>
#include <stdlib.h>

#include "report/diff/diff_html.h"
#include "report/diff/diff_page.h"
#include "report/diff/diff_report.h"
#include "report/diff/diff_text.h"
#include "util/text/html_text.h"
#include "util/text/figure.h"

/* Of a drawing of two spreads, one below the other. */
#define BOX_WIDTH 240.0
#define BOX_HEIGHT 9

static void write_head(const struct diff_report *report, FILE *out)
{
	char *verdict = diff_verdict(report->diff);

	diff_page_begin(out);
	fputs("<p>Before: ", out);
	html_text_write(report->paths[0], out);
	fputs("<br>After: ", out);
	html_text_write(report->paths[1], out);
	fputs("</p>\n<h1>", out);
	html_text_write(verdict ? verdict : "", out);
	fputs("</h1>\n", out);
	losses_report_html(&report->losses, out);
	free(verdict);
}

static void write_change(double change, bool stands_out, FILE *out)
{
	const char *class = diff_page_class(stands_out, change < 0);

	if (isfinite(change))
		fprintf(out, "<td%s>%+.0f %%</td>", class, 100 * change);
	else
		fprintf(out, "<td%s>new</td>", class);
}

/* From a quarter to three quarters, and the median. */
static void draw_spread(const struct spread *spread, uint64_t most_ns, const char *class, int top,
			FILE *out)
{
	double scale = BOX_WIDTH / (double)most_ns;
	double width = (double)(spread->high - spread->low) * scale;

	if (!spread->nr)
		return;
	fprintf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>", class,
		(double)spread->low * scale, top, width > 1 ? width : 1.0, BOX_HEIGHT);
	fprintf(out, "<rect class=\"median\" x=\"%.1f\" y=\"%d\" width=\"2\" height=\"%d\"/>",
		(double)spread->median * scale, top, BOX_HEIGHT);
}

static void draw_time(const struct diff_time *time, FILE *out)
{
	const struct spread *spreads = time->spreads;
	uint64_t most_ns = spreads[0].high > spreads[1].high ? spreads[0].high : spreads[1].high;

	fprintf(out, "<td><svg width=\"%.0f\" height=\"%d\" role=\"img\" aria-label=\"",
		BOX_WIDTH + 2, 2 * BOX_HEIGHT + 2);
	fprintf(out, "before %s, after %s\">", figure_ns(spreads[0].median, " ").text,
		figure_ns(spreads[1].median, " ").text);
	if (most_ns) {
		draw_spread(&spreads[0], most_ns, "before", 0, out);
		draw_spread(&spreads[1], most_ns, "after", BOX_HEIGHT + 2, out);
	}
	fputs("</svg></td>", out);
}

static void write_spread(const struct spread *spread, FILE *out)
{
	diff_page_cell(figure_count(spread->nr).text, out);
	diff_page_cell(spread->nr ? figure_ns(spread->median, " ").text : "-", out);
}

static void write_time(const struct diff_task *task, const struct diff_time *time, const char *what,
		       FILE *out)
{
	fputs("<tr><td class=\"left\">", out);
	html_text_write(task->name, out);
	fprintf(out, "</td><td class=\"left\">%s</td>", what);
	write_spread(&time->spreads[0], out);
	write_spread(&time->spreads[1], out);
	draw_time(time, out);
	if (time->spreads[0].nr && time->spreads[1].nr) {
		write_change(time->change, time->stands_out, out);
		fprintf(out, "<td>%.2g</td>", time->p_value);
	} else {
		fputs("<td>-</td><td>-</td>", out);
	}
	fputs("</tr>\n", out);
}

static void write_tasks(const struct diff *diff, FILE *out)
{
	if (!diff->nr_tasks)
		return;
	fputs("<h2>Tasks</h2>\n<div class=\"scroll\"><table>\n<caption>Bars: where the middle half of "
	      "the instances lies, grey before, blue after, and the median. A change in colour "
	      "exceeds the spread.</caption>\n"
	      "<thead><tr><th class=\"left\">task</th><th class=\"left\">time</th><th>count before</th>"
	      "<th>median</th><th>count after</th><th>median</th><th class=\"left\">spread</th>"
	      "<th>change</th><th title=\"Mann and Whitney's test\">p</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < diff->nr_tasks && i < DIFF_MAX_ROWS; i++) {
		write_time(&diff->tasks[i], &diff->tasks[i].wall, "wall", out);
		write_time(&diff->tasks[i], &diff->tasks[i].on_cpu, "on CPU", out);
	}
	fputs("</tbody></table></div>\n", out);
	if (diff->nr_tasks > DIFF_MAX_ROWS)
		fprintf(out, "<p>And %zu more tasks.</p>\n", diff->nr_tasks - DIFF_MAX_ROWS);
}

static void write_event(const struct diff_task *task, const struct diff_event *event, FILE *out)
{
	fputs("<tr><td class=\"left\">", out);
	html_text_write(task->name, out);
	fputs("</td><td class=\"left\">", out);
	html_text_write(event->name, out);
	fputs("</td>", out);
	diff_page_cell(figure_number(event->counts[0]).text, out);
	diff_page_cell(figure_number(event->counts[1]).text, out);
	write_change(event->change, event->stands_out, out);
	fputs("</tr>\n", out);
}

static void write_events(const struct diff *diff, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < diff->nr_tasks && i < DIFF_MAX_ROWS; i++) {
		for (size_t j = 0; j < diff->tasks[i].nr_events; j++) {
			if (!any)
				fputs("<h2>Events per instance</h2>\n<div class=\"scroll\">"
				      "<table><thead><tr><th class=\"left\">task</th>"
				      "<th class=\"left\">event</th><th>before</th>"
				      "<th>after</th><th>change</th></tr></thead>\n<tbody>\n",
				      out);
			any = true;
			write_event(&diff->tasks[i], &diff->tasks[i].events[j], out);
		}
	}
	if (any)
		fputs("</tbody></table></div>\n", out);
}

static void write_finding(const struct diff_finding *row, FILE *out)
{
	bool less = row->lost_ns[1] < row->lost_ns[0];

	fprintf(out, "<tr><td class=\"left\">%s</td>", finding_kind_name(row->kind));
	diff_page_cell(row->texts[0] ? figure_ns(row->lost_ns[0], " ").text : "-", out);
	fprintf(out, "<td%s>%s</td>", diff_page_class(row->stands_out, less),
		row->texts[1] ? figure_ns(row->lost_ns[1], " ").text : "gone");
	fputs("<td class=\"text\">", out);
	html_text_write(row->texts[1] ? row->texts[1] : row->texts[0], out);
	fputs("</td></tr>\n", out);
}

static void write_findings(const struct diff *diff, FILE *out)
{
	if (!diff->nr_findings)
		return;
	fputs("<h2>Findings</h2>\n<div class=\"scroll\"><table>\n<caption>Time lost to the worst of "
	      "each kind.</caption>\n<thead><tr><th class=\"left\">kind</th><th>before</th>"
	      "<th>after</th><th class=\"left\">what</th></tr></thead>\n<tbody>\n",
	      out);
	for (size_t i = 0; i < diff->nr_findings; i++)
		write_finding(&diff->findings[i], out);
	fputs("</tbody></table></div>\n", out);
}

void diff_html(const struct diff_report *report, FILE *out)
{
	write_head(report, out);
	write_tasks(report->diff, out);
	write_events(report->diff, out);
	write_findings(report->diff, out);
	why_report_html(&report->why, out);
	rules_report_html(&report->rules, out);
	diff_page_end(out);
}
