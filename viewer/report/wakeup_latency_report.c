// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>

#include "analysis/sched/interference_findings.h"
#include "analysis/sched/wakeup_latency.h"
#include "report/row_json.h"
#include "report/analysis_list.h"
#include "util/figure.h"
#include "util/text.h"

#define NAME_COLUMNS 24
#define TEXT_THREADS 20
#define BAR_COLUMNS 50

static void *wakeup_latency_report_compute(const struct analyses *analyses)
{
	return wakeup_latency_compute(analyses->model);
}

static void wakeup_latency_report_free(void *result)
{
	wakeup_latency_free(result);
}

static void wakeup_latency_report_add_findings(const struct analyses *analyses, const void *result,
					       struct findings *findings)
{
	wakeup_latency_add_findings(analyses->model, result,
				    analyses_result(analyses, &interference_analysis), findings);
}

static void print_latencies(const struct latencies *latencies, FILE *out)
{
	fprintf(out, " %7s %7s %7s %7s\n", figure_count(latencies->nr).text,
		figure_ns(latencies->median_ns, "").text, figure_ns(latencies->p99_ns, "").text,
		figure_ns(latencies->max_ns, "").text);
}

static void print_bar(const struct histogram *histogram, size_t at, uint64_t most, FILE *out)
{
	uint64_t count = histogram->counts[at];
	int columns = (int)(count * BAR_COLUMNS / most);

	if (at == HISTOGRAM_EDGES)
		fprintf(out, ">= %7s", figure_ns(histogram_edge_ns(at - 1), "").text);
	else
		fprintf(out, " < %7s", figure_ns(histogram_edge_ns(at), "").text);
	fprintf(out, " %7s ", figure_count(count).text);
	for (int i = 0; i < columns; i++)
		fputc('#', out);
	fputc('\n', out);
}

static void print_histogram(const struct histogram *histogram, FILE *out)
{
	size_t first = SIZE_MAX, last = 0;
	uint64_t most = 1;

	for (size_t i = 0; i <= HISTOGRAM_EDGES; i++) {
		if (!histogram->counts[i])
			continue;
		if (first == SIZE_MAX)
			first = i;
		last = i;
		if (histogram->counts[i] > most)
			most = histogram->counts[i];
	}
	for (size_t i = first; i <= last; i++)
		print_bar(histogram, i, most, out);
}

static void wakeup_latency_report_write_text(const struct analyses *analyses, const void *result,
					     FILE *out)
{
	const struct wakeup_latency *wakeups = result;

	fprintf(out, "%-*s WAKEUPS  MEDIAN     P99     MAX\n%-*s", NAME_COLUMNS, "WAKEUP LATENCY",
		NAME_COLUMNS, "all threads");
	print_latencies(&wakeups->all, out);
	for (size_t i = 0; i < wakeups->nr_threads && i < TEXT_THREADS; i++) {
		const struct thread_latencies *row = &wakeups->threads[i];

		text_print_name(out, thread_label(analyses->model, row->thread).text, NAME_COLUMNS,
				NAME_COLUMNS);
		print_latencies(&row->latencies, out);
	}
	if (wakeups->nr_threads > TEXT_THREADS)
		fprintf(out, "and %zu more threads\n", wakeups->nr_threads - TEXT_THREADS);
	print_histogram(&wakeups->histogram, out);
}

static void write_latencies(struct json *json, const struct latencies *latencies)
{
	bool known = latencies->nr;

	json_key_known_u64(json, "median_ns", known, latencies->median_ns);
	json_key_known_u64(json, "p99_ns", known, latencies->p99_ns);
	json_key_known_u64(json, "max_ns", known, latencies->max_ns);
}

static void wakeup_latency_report_write_json(const struct analyses *analyses, const void *result,
					     struct json *json)
{
	const struct wakeup_latency *wakeups = result;
	size_t nr = wakeups->nr_threads;

	json_begin_object(json);
	json_key_u64(json, "wakeups", wakeups->all.nr);
	json_key(json, "histogram");
	row_json_histogram(json, &wakeups->histogram);
	write_latencies(json, &wakeups->all);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < nr && i < ROW_JSON_MAX; i++) {
		json_begin_object(json);
		row_json_thread(json, analyses->model, wakeups->threads[i].thread);
		json_key_u64(json, "wakeups", wakeups->threads[i].latencies.nr);
		write_latencies(json, &wakeups->threads[i].latencies);
		json_end_object(json);
	}
	json_end_array(json);
	json_key_u64(json, "left_out", nr > ROW_JSON_MAX ? nr - ROW_JSON_MAX : 0);
	json_end_object(json);
}

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_WAKEUP_LATENCY,
		"threads start late after a wakeup",
		"A thread was woken and did not run at once: its CPU was busy, or in a sleep state.",
		"annot measures the time from each wakeup to the next switch onto a CPU, for all threads "
		"of the session. The time lost is the part on the session's critical path, minus the "
		"time by which sleeps on that path may have become shorter.",
		"In the page, 'runnable' precedes 'running', and an arrow points from the thread that "
		"woke it. annot report --show wakeups prints the distribution.",
		CATALOGUE_CURES(
			"If another program holds the CPU: move one of them to another CPU, or give the "
			"woken thread a higher priority (chrt, nice).",
			"Wait less often, and for more at a time: batches instead of single items.",
			"Spin for a short time before sleeping (OMP_WAIT_POLICY, GOMP_SPINCOUNT).",
			"Pin threads to CPUs of their own, and keep these CPUs out of deep idle states "
			"(cpuidle, /dev/cpu_dma_latency)."),
	},
	{ 0 },
};

const struct analysis_desc wakeup_latency_analysis = {
	.name = "wakeups",
	.help = "how long threads waited for a CPU after they were woken",
	.catalogue = catalogue,
	.compute = wakeup_latency_report_compute,
	.free = wakeup_latency_report_free,
	.add_findings = wakeup_latency_report_add_findings,
	.write_text = wakeup_latency_report_write_text,
	.write_json = wakeup_latency_report_write_json,
};
