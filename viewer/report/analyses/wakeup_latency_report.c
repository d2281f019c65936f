// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>

#include "analysis/sched/interference_findings.h"
#include "analysis/sched/wakeup_latency.h"
#include "report/analysis_list.h"
#include "report/schema/sched_members.h"
#include "report/table/row_json.h"
#include "report/table/table_json.h"
#include "report/table/table_text.h"
#include "util/text/figure.h"
#include "util/text/text.h"

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

	fprintf(out, "WAKEUP LATENCY of %s wakeup%s: median %s, p99 %s, max %s\n",
		figure_count(wakeups->all.nr).text, text_plural(wakeups->all.nr),
		figure_ns(wakeups->all.median_ns, " ").text,
		figure_ns(wakeups->all.p99_ns, " ").text, figure_ns(wakeups->all.max_ns, " ").text);
	if (!wakeups->all.nr)
		return;
	print_histogram(&wakeups->histogram, out);
	table_text_write(analyses, &wakeup_latency_analysis, out);
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

	json_begin_object(json);
	json_key_u64(json, "wakeups", wakeups->all.nr);
	json_key(json, "histogram");
	row_json_histogram(json, &wakeups->histogram);
	write_latencies(json, &wakeups->all);
	table_json_write(analyses, &wakeup_latency_analysis, json);
	json_end_object(json);
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct wakeup_latency *wakeups = result;

	*nr = wakeups->nr_threads;
	return wakeups->threads;
}

#define FIELD(field) TABLE_FIELD(thread_latencies, field)

static const struct table_column columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread that was woken.", FIELD(thread) },
	{ COLUMN_COUNT, "wakeups", "wakeups", "How often it was woken, or created.",
	  FIELD(latencies.nr) },
	{ COLUMN_TIME, "median_ns", "median",
	  "The median of its latencies: of an even number, the lower of the middle two.",
	  FIELD(latencies.median_ns) },
	{ COLUMN_TIME, "p99_ns", "p99", "The 99th percentile, by nearest rank.",
	  FIELD(latencies.p99_ns) },
	{ COLUMN_TIME, "max_ns", "max", "The longest.", FIELD(latencies.max_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "threads", "Wakeups", "thread", columns, sizeof(struct thread_latencies), thread_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_WAKEUP_LATENCY,
		"threads start late after a wakeup",
		"A thread was woken and did not run at once: its CPU was busy, or in a sleep state.",
		"annot measures the time from each wakeup to the next switch onto a CPU, for all threads "
		"of the session. The time lost is the part on the session's critical path, minus the "
		"time by which sleeps on that path may have become shorter.",
		"In the page, 'runnable' precedes 'running', and an arrow points from the thread that "
		"woke it. annot report --show wakeup_latency prints the distribution.",
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
	.name = "wakeup_latency",
	.help = "how long threads waited for a CPU after they were woken",
	.title = "Wakeups",
	.tables = tables,
	.catalogue = catalogue,
	.compute = wakeup_latency_report_compute,
	.free = wakeup_latency_report_free,
	.add_findings = wakeup_latency_report_add_findings,
	.write_text = wakeup_latency_report_write_text,
	.write_json = wakeup_latency_report_write_json,
	.members = wakeup_latency_members,
};
