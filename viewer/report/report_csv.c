// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "analysis/tasks/task_events.h"
#include "report/report.h"
#include "report/report_csv.h"
#include "report/report_sort.h"
#include "util/text/csv.h"

/* Of each event; empty where there is no figure. */
static void write_events(const struct model *model, const struct event_figures *events, FILE *out)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		const struct event_figures *figures = &events[event];
		struct event_ratio mpki;
		double rate, error;

		if (!figures->measured) {
			fputs(",,,,,", out);
			continue;
		}
		error = event_error(model, event, figures);
		fprintf(out, ",%.15g,", figures->count);
		if (isfinite(error))
			fprintf(out, "%.6g", error);
		fputc(',', out);
		if (event_per_us(figures, &rate))
			fprintf(out, "%.6g", rate);
		fputc(',', out);
		if (!event_per_1000_instructions(model, event, events, &mpki))
			fputc(',', out);
		else if (isfinite(mpki.error))
			fprintf(out, "%.6g,%.6g", mpki.value, mpki.error);
		else
			fprintf(out, "%.6g,", mpki.value);
	}
}

static void write_event_heads(const struct model *model, FILE *out)
{
	static const char *const figures[] = { "count", "error", "per_us", "mpki", "mpki_error" };

	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		const char *name = trace_string(model->trace, model->pmu_events[event].name);

		for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
			char head[128];

			snprintf(head, sizeof(head), "%s_%s", name, figures[i]);
			fputc(',', out);
			csv_field(head, out);
		}
	}
}

static void write_row(const struct report *report, const struct task *task,
		      const struct thread_figures *figures, FILE *out)
{
	static const enum task_metric metrics[] = {
		METRIC_WALL,	  METRIC_ON_CPU, METRIC_USEFUL,	 METRIC_WAITING,
		METRIC_PREEMPTED, METRIC_WAKEUP, METRIC_BLOCKED, METRIC_UNKNOWN,
	};
	const struct thread *thread = &report->model->threads[figures->thread];

	csv_field(trace_string(report->model->trace, task->name), out);
	fprintf(out, ",%s,%" PRId32 ",", task->kind == TRACE_SPAN_WAIT ? "wait" : "work",
		thread->tid);
	if (thread->tgid)
		fprintf(out, "%" PRId32, thread->tgid);
	fputc(',', out);
	csv_field(report_comm(report, figures->thread), out);
	fprintf(out, ",%" PRIu64, figures->instances);
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		fprintf(out, ",%" PRIu64, figures->ns[metrics[i]]);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, figures->counts.switches,
		figures->counts.preemptions, figures->counts.migrations);
	write_events(report->model, figures->events, out);
	fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, figures->ns[METRIC_SPINNING],
		figures->ns[METRIC_WAITING_OFF_CPU], figures->ns[METRIC_WORK_OFF_CPU]);
	fputc(',', out);
	if (report->model->has_interrupts)
		fprintf(out, "%" PRIu64, figures->ns[METRIC_STOLEN]);
	fputs("\r\n", out);
}

void report_csv(const struct report *report, FILE *out)
{
	fputs("task,kind,tid,tgid,comm,instances,wall_ns,on_cpu_ns,useful_ns,waiting_ns,"
	      "preempted_ns,wakeup_ns,blocked_ns,unknown_ns,switches,preemptions,migrations",
	      out);
	write_event_heads(report->model, out);
	/* Younger than what is before them: columns keep their places. */
	fputs(",spinning_ns,waiting_off_cpu_ns,work_off_cpu_ns,stolen_ns\r\n", out);
	for (size_t i = 0; i < report->stats->nr_tasks; i++) {
		const struct task *task = &report->stats->tasks[report->tasks[i]];

		for (size_t j = 0; j < task->nr_threads; j++)
			write_row(report, task, &task->threads[j], out);
	}
}
