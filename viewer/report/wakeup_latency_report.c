// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>

#include "analysis/sched/interference_findings.h"
#include "analysis/sched/wakeup_latency.h"
#include "report/row_json.h"
#include "report/parts.h"
#include "util/units.h"

#define NAME_COLUMNS 24
#define TEXT_THREADS 20
#define BAR_COLUMNS 50

static void *analyse_part(const struct insights *insights)
{
	return wakeup_latency_of(insights->model);
}

static void free_part(void *result)
{
	wakeup_latency_free(result);
}

static void find(const struct insights *insights, const void *result, struct findings *findings)
{
	wakeups_find(insights->model, result, insights_of(insights, &interference_part), findings);
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

static void text(const struct insights *insights, const void *result, FILE *out)
{
	const struct wakeup_latency *wakeups = result;

	fprintf(out, "%-*s WAKEUPS  MEDIAN     P99     MAX\n%-*s", NAME_COLUMNS, "WAKEUP LATENCY",
		NAME_COLUMNS, "all threads");
	print_latencies(&wakeups->all, out);
	for (size_t i = 0; i < wakeups->nr_threads && i < TEXT_THREADS; i++) {
		const struct thread_latencies *row = &wakeups->threads[i];

		print_name(out, thread_label(insights->model, row->thread).text, NAME_COLUMNS,
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

static void json(const struct insights *insights, const void *result, struct json *json)
{
	const struct wakeup_latency *wakeups = result;
	size_t nr = wakeups->nr_threads;

	json_begin_object(json);
	json_key_u64(json, "wakeups", wakeups->all.nr);
	json_key(json, "histogram");
	part_write_histogram(json, &wakeups->histogram);
	write_latencies(json, &wakeups->all);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < nr && i < PART_MAX_ROWS; i++) {
		json_begin_object(json);
		part_write_thread(json, insights->model, wakeups->threads[i].thread);
		json_key_u64(json, "wakeups", wakeups->threads[i].latencies.nr);
		write_latencies(json, &wakeups->threads[i].latencies);
		json_end_object(json);
	}
	json_end_array(json);
	json_key_u64(json, "left_out", nr > PART_MAX_ROWS ? nr - PART_MAX_ROWS : 0);
	json_end_object(json);
}

const struct insight_part wakeups_part = {
	.name = "wakeups",
	.help = "how long threads waited for a CPU after they were woken",
	.analyse = analyse_part,
	.free = free_part,
	.find = find,
	.text = text,
	.json = json,
};
