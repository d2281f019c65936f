// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>

#include "model/states/gaps.h"
#include "report/loss_words.h"
#include "report/report.h"
#include "report/report_events.h"
#include "report/report_sort.h"
#include "report/report_text.h"
#include "util/text/figure.h"
#include "util/text/text.h"

/* The columns of either table behind the name, for which the rest of the line is left. */
#define TASK_FIGURES_COLUMNS 81
#define THREAD_FIGURES_COLUMNS 86 /* without those of unknown and stolen time */
#define UNKNOWN_COLUMNS 8
#define STOLEN_COLUMNS 7
#define MIN_NAME_COLUMNS 6

/* What was not recorded makes every other figure a lower bound: it is told first. */
static void print_losses(const struct trace *trace, FILE *out)
{
	const struct trace_info *info = trace_info(trace);
	const struct trace_losses losses = trace_losses_of(trace);

	if (losses.nr_gaps) {
		fprintf(out, "*** EVENTS WERE LOST: ");
		loss_words_print_events(&losses, out);
		fprintf(out, ". That time counts as unknown.\n");
		fprintf(out,
			"*** Record with larger buffers (annot record -b) for exact figures.\n\n");
	}
	if (info->annotations.nr_lost)
		fprintf(out,
			"*** ANNOTATIONS WERE LOST: at least %" PRIu64 ". Spans may be missing, or "
			"end too late.\n\n",
			info->annotations.nr_lost);
	if (info->annotations.nr_altered)
		fprintf(out,
			"*** %" PRIu64 " annotation%s had an impossible time, which was altered."
			"\n\n",
			info->annotations.nr_altered, text_plural(info->annotations.nr_altered));
}

/* "68 switches are missing on CPU 1, 2 on CPU 3": of other traces nothing. */
static void print_missing(const struct model *model, FILE *out)
{
	const char *before = "*** ";

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		uint64_t nr = gaps_missing_switches(&model->cpus[cpu].gaps);

		if (!nr)
			continue;
		fprintf(out, "%s%" PRIu64, before, nr);
		if (*before == '*')
			fprintf(out, " switch%s missing", nr == 1 ? " is" : "es are");
		fprintf(out, " on CPU %d", cpu);
		before = ", ";
	}
	if (*before == ',')
		fprintf(out, ", or more. That time counts as unknown.\n\n");
}

static void print_trace(const struct report *report, FILE *out)
{
	const struct model *model = report->model;
	const struct trace_info *info = trace_info(model->trace);
	int nr_seen = 0;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		nr_seen += model->cpus[cpu].seen;
	text_print_name(out, info->path, 50, 0);
	fprintf(out, ": %s on %d CPU%s, %" PRIu64 " event%s, clock %s\n\n",
		figure_ns(model->duration_ns, " ").text, nr_seen, text_plural((uint64_t)nr_seen),
		info->nr_events, text_plural(info->nr_events), info->clock);
}

/* Behind the time on CPU: only where the trace tells of interrupts. */
static void print_stolen(const struct report *report, uint64_t ns, FILE *out)
{
	if (report->model->has_interrupts)
		fprintf(out, " %6s", figure_ns(ns, "").text);
}

static int stolen_columns(const struct report *report)
{
	return report->model->has_interrupts ? STOLEN_COLUMNS : 0;
}

static const char *stolen_head(const struct report *report)
{
	return report->model->has_interrupts ? " stolen" : "";
}

static void print_task(const struct report *report, const struct task *task, int name_width,
		       FILE *out)
{
	const struct distribution *ns = task->ns;

	text_print_name(out, trace_string(report->model->trace, task->name), name_width,
			name_width);
	fprintf(out, " %4s %6s %3zu %6s %6s %6s %6s",
		task->kind == TRACE_SPAN_WAIT ? "wait" : "work", figure_count(task->instances).text,
		task->nr_threads, figure_ns(ns[METRIC_WALL].sum, "").text,
		figure_ns(ns[METRIC_WALL].median, "").text, figure_ns(ns[METRIC_WALL].max, "").text,
		figure_ns(ns[METRIC_ON_CPU].sum, "").text);
	print_stolen(report, ns[METRIC_STOLEN].sum, out);
	fprintf(out, " %7s %7s %7s", figure_ns(ns[METRIC_PREEMPTED].sum, "").text,
		figure_ns(ns[METRIC_BLOCKED].sum, "").text,
		figure_ns(ns[METRIC_WAITING].sum, "").text);
	if (task->has_balance)
		fprintf(out, " %5.2f", task->load_balance);
	else
		fprintf(out, " %5s", "-");
	if (task->has_imbalance_pct)
		fprintf(out, " %5.1f%%\n", task->imbalance_pct);
	else
		fprintf(out, " %6s\n", "-");
}

static void print_tasks(const struct report *report, FILE *out)
{
	const struct task_stats *stats = report->stats;
	int width = MIN_NAME_COLUMNS;

	if (!stats->nr_tasks)
		return;
	for (size_t i = 0; i < stats->nr_tasks; i++)
		width = text_widest(width, trace_string(report->model->trace, stats->tasks[i].name),
				    LINE_COLUMNS - TASK_FIGURES_COLUMNS - stolen_columns(report));
	fprintf(out, "%-*s %4s %6s %3s %6s %6s %6s %6s%s %7s %7s %7s %5s %6s\n", width, "TASK",
		"kind", "count", "thr", "wall", "median", "max", "on-CPU", stolen_head(report),
		"preempt", "blocked", "waiting", "bal.", "imbal.");
	for (size_t i = 0; i < stats->nr_tasks; i++)
		print_task(report, &stats->tasks[report->tasks[i]], width, out);
	fputc('\n', out);
}

static bool has_unknown(const struct report *report)
{
	for (uint32_t i = 0; i < report->model->nr_threads; i++) {
		if (report_shows(report, i) && report->stats->threads[i].ns[METRIC_UNKNOWN])
			return true;
	}
	return false;
}

static void print_thread(const struct report *report, uint32_t thread, int name_width,
			 bool tells_unknown, FILE *out)
{
	const struct thread_figures *figures = &report->stats->threads[thread];
	const uint64_t *ns = figures->ns;

	text_print_name(out, report_comm(report, thread), name_width, name_width);
	fprintf(out, " %7" PRId32 " %6s", report->model->threads[thread].tid,
		figure_ns(ns[METRIC_ON_CPU], "").text);
	print_stolen(report, ns[METRIC_STOLEN], out);
	fprintf(out, " %6s %6s %6s %7s %5s %6s %7s %7s", figure_ns(ns[METRIC_USEFUL], "").text,
		figure_ns(ns[METRIC_WAITING], "").text, figure_ns(ns[METRIC_SPINNING], "").text,
		figure_ns(ns[METRIC_PREEMPTED], "").text,
		figure_count(figures->counts.preemptions).text,
		figure_ns(ns[METRIC_WAKEUP], "").text, figure_ns(ns[METRIC_BLOCKED], "").text,
		figure_ns(ns[METRIC_OUTSIDE], "").text);
	if (tells_unknown)
		fprintf(out, " %7s", figure_ns(ns[METRIC_UNKNOWN], "").text);
	fprintf(out, " %6s %5s\n", figure_count(figures->counts.switches).text,
		figure_count(figures->counts.migrations).text);
}

static void print_thread_heads(const struct report *report, int name_width, bool tells_unknown,
			       FILE *out)
{
	fprintf(out, "%-*s %7s %6s%s %6s %6s %6s %7s %5s %6s %7s %7s", name_width, "THREAD", "tid",
		"on-CPU", stolen_head(report), "useful", "wait", "spin", "preempt", "times",
		"wakeup", "blocked", "outside");
	if (tells_unknown)
		fprintf(out, " %7s", "unknown");
	fprintf(out, " %6s %5s\n", "switch", "moved");
}

static void print_threads(const struct report *report, FILE *out)
{
	const struct model *model = report->model;
	bool tells_unknown = has_unknown(report);
	int room = LINE_COLUMNS - THREAD_FIGURES_COLUMNS - (tells_unknown ? UNKNOWN_COLUMNS : 0) -
		   stolen_columns(report);
	uint64_t left_out = 0;
	int width = MIN_NAME_COLUMNS;

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (report_shows(report, i))
			width = text_widest(width, report_comm(report, i), room);
		else
			left_out++;
	}
	print_thread_heads(report, width, tells_unknown, out);
	for (size_t i = 0; i < model->nr_threads; i++) {
		uint32_t thread = (uint32_t)report->threads[i];

		if (report_shows(report, thread))
			print_thread(report, thread, width, tells_unknown, out);
	}
	if (left_out)
		fprintf(out, "%" PRIu64 " other thread%s left out: --all shows %s.\n", left_out,
			text_plural(left_out), left_out == 1 ? "it" : "them");
}

void report_text(const struct report *report, FILE *out)
{
	print_losses(report->model->trace, out);
	print_missing(report->model, out);
	report_event_losses(report->model, out);
	report_event_turns(report, out);
	analyses_findings_text(report->analyses, out);
	fputc('\n', out);
	print_trace(report, out);
	print_tasks(report, out);
	report_events(report, out);
	print_threads(report, out);
	analyses_text(report->analyses, report->shown, out);
}
