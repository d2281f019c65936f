// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "report/diff/diff_text.h"
#include "report/diff/runs_verdict.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

static const char *name_of(const struct runs_report *report, uint32_t name)
{
	return string_table_get(report->runs->names, name);
}

static void print_change(const struct welch_test *test, FILE *out)
{
	fprintf(out, " (%+.1f %%", 100 * test->estimate);
	if (test->is_tested)
		fprintf(out, ", interval %+.1f to %+.1f %%", 100 * test->low, 100 * test->high);
	fputc(')', out);
}

static const char *speed_word(const struct runs_value *session)
{
	if (!session->stands_out)
		return "As fast as before";
	return session->test.estimate < 0 ? "Faster" : "Slower";
}

static void print_session(const struct runs_diff *diff, FILE *out)
{
	const struct runs_value *session = &diff->session;

	fputs(diff->stands_out ? speed_word(session) :
				 "No difference exceeds the variation from run to run",
	      out);
	fprintf(out, ": %s, was %s", runs_mean_ns(&session->samples[1], " ").text,
		runs_mean_ns(&session->samples[0], " ").text);
	if (session->test.has_ratio)
		print_change(&session->test, out);
}

/* Of those that stand out, the one whose instances changed most in sum. */
static void print_task(const struct runs_report *report, FILE *out)
{
	for (size_t i = 0; i < report->diff->nr_tasks; i++) {
		const struct runs_task *task = &report->diff->tasks[i];
		bool wall = task->wall.stands_out;
		const struct runs_value *value = wall ? &task->wall : &task->on_cpu;

		if (!value->stands_out)
			continue;
		fprintf(out, "; %s takes %.1f %% %s time%s (mean %s, was %s)",
			name_of(report, task->name), 100 * fabs(value->test.estimate),
			diff_less_or_more(value->test.estimate), wall ? "" : " on CPUs",
			runs_mean_ns(&value->samples[1], " ").text,
			runs_mean_ns(&value->samples[0], " ").text);
		return;
	}
}

/* The one whose test is surest. */
static void print_event(const struct runs_report *report, FILE *out)
{
	const struct runs_event *surest = NULL;
	const struct runs_task *of = NULL;

	for (size_t i = 0; i < report->diff->nr_tasks; i++) {
		const struct runs_task *task = &report->diff->tasks[i];

		for (size_t j = 0; j < task->nr_events; j++) {
			const struct runs_event *event = &task->events[j];

			if (!event->count.stands_out ||
			    (surest && event->count.test.p_value >= surest->count.test.p_value))
				continue;
			surest = event;
			of = task;
		}
	}
	if (!surest)
		return;
	fprintf(out, "; %s in %s: ", name_of(report, surest->name), name_of(report, of->name));
	if (surest->count.test.has_ratio)
		fprintf(out, "%.1f %% %s", 100 * fabs(surest->count.test.estimate),
			diff_less_or_more(surest->count.test.estimate));
	else
		fputs(surest->count.test.estimate > 0 ? "new" : "gone", out);
}

static void print_findings(const struct runs_diff *diff, FILE *out)
{
	for (size_t i = 0; i < diff->nr_findings; i++) {
		const struct runs_finding *row = &diff->findings[i];
		const char *name = finding_kind_name(row->kind);

		if (!row->lost.stands_out)
			continue;
		if (!row->nr_found[1])
			fprintf(out, "; %s is gone", name);
		else if (!row->nr_found[0])
			fprintf(out, "; %s is new", name);
		else
			fprintf(out, "; %s costs %s", name,
				diff_less_or_more(row->lost.test.estimate));
	}
}

char *runs_verdict(const struct runs_report *report)
{
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	if (!out)
		return NULL;
	print_session(report->diff, out);
	print_task(report, out);
	print_event(report, out);
	print_findings(report->diff, out);
	fclose(out);
	return text;
}

char *runs_how_compared(const struct runs_report *report)
{
	const size_t *nr = report->runs->nr;
	bool one_alone = nr[0] == 1 || nr[1] == 1;

	return xasprintf(
		"%zu run%s before, %zu after. Intervals cover the truth in %.0f of 100 cases. What differs by more than "
		"runs do is marked: at a chance of %.0f %% that anything among all %zu figures is marked if nothing changed.%s",
		nr[0], text_plural(nr[0]), nr[1], 100 * WELCH_COVERAGE, 100 * RUNS_MOST_P,
		report->diff->nr_compared,
		one_alone ?
			" Of one run alone, it is assumed that such runs differ as those of the other side do." :
			"");
}
