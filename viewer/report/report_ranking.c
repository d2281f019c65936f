// SPDX-License-Identifier: GPL-2.0
#include "report/report_events.h"
#include "report/report_ranking.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "analysis/tasks/task_events.h"
#include "report/block_estimates.h"
#include "report/report.h"
#include "report/report_json.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/text/csv.h"
#include "util/xalloc.h"

#define KIB 1024

/* The columns in front of the labels, for which the rest of the line is left. */
#define RANKING_FIGURES_COLUMNS 33
#define ONE_FIGURE_COLUMNS 8 /* of latency, of threads */
#define PAGES_COLUMNS 10

/* Which figures a ranking has in the text: those of which something is known. */
struct shown_figures {
	bool threads;
	bool latency;
	bool pages;
};

bool ranking_report_has(const struct ranking_report *report, size_t event)
{
	const struct pmu_event *row = &report->model->pmu_events[event];

	if (report->event)
		return !strcmp(trace_string(report->model->trace, row->name), report->event);
	return !row->is_counted && !row->error;
}

static const char *label_of(const struct ranking_report *report, const struct ranking_row *row,
			    int at)
{
	return trace_string(report->model->trace, row->labels[at]);
}

static double share_of(const struct ranking *ranking, const struct ranking_row *row)
{
	return ranking->all.count > 0 ? row->count / ranking->all.count : 0;
}

static double row_error(const struct ranking_row *row)
{
	return event_samples_error(row->count, row->variance, 0);
}

/* Of a row that has some. */
static double latency_of(const struct ranking_row *row)
{
	return row->latency_cycles / (double)row->nr_latencies;
}

/* How many events they are; of the others only shares are known. */
static bool has_counts(const struct ranking_report *report, const struct ranking *ranking)
{
	return !report->model->pmu_events[ranking->event].by_ratio;
}

static void print_count(const struct ranking *ranking, FILE *out)
{
	fprintf(out, ": about %s", figure_number(ranking->all.count).text);
	if (ranking->all.count > 0)
		fprintf(out, ", +/- %s",
			figure_error(row_error(&ranking->all), ranking->all.count).text);
}

static void print_head(const struct ranking_report *report, const struct ranking *ranking,
		       FILE *out)
{
	const struct pmu_event *event = &report->model->pmu_events[ranking->event];

	text_print_name(out, trace_string(report->model->trace, event->name), -1, 0);
	fprintf(out, ":\n%" PRIu64 " sample%s", ranking->all.nr_samples,
		text_plural(ranking->all.nr_samples));
	if (event->period)
		fprintf(out, ", one per %" PRIu64 " events", event->period);
	if (has_counts(report, ranking))
		print_count(ranking, out);
	fputs(".\n", out);
	if (ranking->nr_left_out)
		fprintf(out, "%" PRIu64 " sample%s of other threads left out: --all shows %s.\n",
			ranking->nr_left_out, text_plural(ranking->nr_left_out),
			ranking->nr_left_out == 1 ? "it" : "them");
}

/* Whether samples of instructions tell which of them missed. */
static bool has_misses(const struct ranking_report *report, const struct ranking *ranking)
{
	return !has_counts(report, ranking) && ranking->tells_misses;
}

static double missed_share_of(const struct ranking *ranking, const struct ranking_row *row)
{
	return ranking->all.nr_missed ? (double)row->nr_missed / (double)ranking->all.nr_missed : 0;
}

static void print_figures(const struct ranking_report *report, const struct ranking *ranking,
			  const struct ranking_row *row, FILE *out)
{
	fprintf(out, "%5.1f%% ", share_of(ranking, row) * 100);
	if (has_misses(report, ranking))
		fprintf(out, "%7s %6.1f%%", figure_count(row->nr_missed).text,
			missed_share_of(ranking, row) * 100);
	else if (has_counts(report, ranking))
		fprintf(out, "%7s %7s", figure_number(row->count).text,
			figure_error(row_error(row), row->count).text);
	else
		fprintf(out, "%7s %7s", "-", "-");
	fprintf(out, " %8s", figure_count(row->nr_samples).text);
}

/* A power of two: "4K", "2M". */
static void print_page_size(uint64_t bytes, FILE *out)
{
	const char *unit = "KMGTPE";
	char text[16];

	for (bytes /= KIB; bytes >= KIB; bytes /= KIB)
		unit++;
	snprintf(text, sizeof(text), "%" PRIu64 "%c", bytes, *unit);
	fprintf(out, " %4s", text);
}

/* Which share is in huge pages, and the size of most pages. */
static void print_pages(const struct page_share *pages, FILE *out)
{
	if (!page_share_is_known(pages)) {
		fprintf(out, " %4s %4s", "-", "-");
		return;
	}
	fprintf(out, " %3.0f%%", page_share_of_huge(pages) * 100);
	print_page_size(page_share_page_bytes(pages), out);
}

static struct shown_figures find_shown(const struct ranking *ranking)
{
	struct shown_figures shown = { .threads = ranking_has_sharing(ranking->key) };

	for (size_t i = 0; shown.threads && i < ranking->nr; i++) {
		shown.latency |= ranking->rows[i].nr_latencies > 0;
		shown.pages |= page_share_is_known(&ranking->rows[i].pages);
	}
	return shown;
}

static void print_sharing(const struct ranking_row *row, const struct shown_figures *shown,
			  FILE *out)
{
	if (shown->latency)
		fprintf(out, " %7s", row->nr_latencies ? figure_number(latency_of(row)).text : "-");
	if (shown->threads)
		fprintf(out, " %7s", row->nr_threads ? figure_count(row->nr_threads).text : "-");
	if (shown->pages)
		print_pages(&row->pages, out);
}

static void print_row(const struct ranking_report *report, const struct ranking *ranking,
		      const struct ranking_row *row, const struct shown_figures *shown,
		      const int *widths, FILE *out)
{
	const char *const *names = ranking_labels(ranking->key);

	print_figures(report, ranking, row, out);
	print_sharing(row, shown, out);
	for (int i = 0; names[i]; i++) {
		fputs(i ? " " : "  ", out);
		text_print_name(out, label_of(report, row, i), widths[i],
				names[i + 1] ? widths[i] : 0);
	}
	fputc('\n', out);
}

static int label_width(const struct ranking_report *report, const struct ranking *ranking, int at,
		       int limit)
{
	int width = (int)strlen(ranking_labels(ranking->key)[at]);

	for (size_t row = 0; row < ranking->nr; row++)
		width = text_widest(width, label_of(report, &ranking->rows[row], at), limit);
	return width;
}

/* Each takes what it needs, if there is room for all of them. Else the first label takes what the others leave. */
static void find_widths(const struct ranking_report *report, const struct ranking *ranking,
			const struct shown_figures *shown, int widths[RANKING_MAX_LABELS])
{
	const char *const *names = ranking_labels(ranking->key);
	int left = LINE_COLUMNS - RANKING_FIGURES_COLUMNS, nr = 0, needed = -1;

	left -= (shown->latency + shown->threads) * ONE_FIGURE_COLUMNS;
	left -= shown->pages * PAGES_COLUMNS;
	for (; names[nr]; nr++) {
		widths[nr] = label_width(report, ranking, nr, left);
		needed += widths[nr] + 1;
	}
	if (needed <= left)
		return;
	for (int i = nr - 1; i >= 0; i--) {
		widths[i] = label_width(report, ranking, i, i ? left / (i + 1) : left);
		left -= widths[i] + 1;
	}
}

static void print_ranking(const struct ranking_report *report, const struct ranking *ranking,
			  FILE *out)
{
	const char *const *names = ranking_labels(ranking->key);
	struct shown_figures shown = find_shown(ranking);
	bool is_missed = has_misses(report, ranking);
	int widths[RANKING_MAX_LABELS] = { 0 };

	find_widths(report, ranking, &shown, widths);
	fprintf(out, "%6s %7s %7s %8s", "share", is_missed ? "missed" : "count",
		is_missed ? "of all" : "error", "samples");
	if (shown.latency)
		fprintf(out, " %7s", "latency");
	if (shown.threads)
		fprintf(out, " %7s", "threads");
	if (shown.pages)
		fprintf(out, " %4s %4s", "huge", "page");
	for (int i = 0; names[i]; i++) {
		fputs(i ? " " : "  ", out);
		for (const char *letter = names[i]; *letter; letter++)
			fputc(i ? *letter : toupper((unsigned char)*letter), out);
		if (names[i + 1])
			fprintf(out, "%*s", widths[i] - (int)strlen(names[i]), "");
	}
	fputc('\n', out);
	for (size_t i = 0; i < ranking->nr; i++)
		print_row(report, ranking, &ranking->rows[i], &shown, widths, out);
}

void report_ranking_text(const struct ranking_report *report, FILE *out)
{
	bool after_another = false;

	report_event_losses(report->model, out);
	for (size_t event = 0; event < report->model->nr_pmu_events; event++) {
		const struct ranking *ranking = &report->rankings[event];

		if (!ranking_report_has(report, event))
			continue;
		if (after_another)
			fputc('\n', out);
		print_head(report, ranking, out);
		if (ranking->nr)
			print_ranking(report, ranking, out);
		block_estimates_text(report->model, ranking, out);
		after_another = true;
	}
}

static void write_pages(struct json *json, const struct page_share *pages)
{
	bool is_known = page_share_is_known(pages);

	json_key_known_double(json, "huge_share", is_known,
			      is_known ? page_share_of_huge(pages) : 0);
	json_key_known_u64(json, "page_kib", is_known,
			   is_known ? page_share_page_bytes(pages) / KIB : 0);
}

static void write_estimate(struct json *json, const struct block_estimate *estimate)
{
	json_key_known_u64(json, "one_of", estimate->one_of, estimate->one_of);
	json_key_known_u64(json, "sampled_lines", estimate->one_of, estimate->nr_lines);
	json_key_known_double(json, "all_share", estimate->is_known, estimate->share);
	json_key_known_double(json, "all_low", estimate->is_known, estimate->low);
	json_key_known_double(json, "all_high", estimate->is_known, estimate->high);
}

static void write_row(struct json *json, const struct ranking_report *report,
		      const struct ranking *ranking, const struct ranking_row *row)
{
	const char *const *names = ranking_labels(ranking->key);

	json_begin_object(json);
	for (int i = 0; names[i]; i++)
		json_key_string(json, names[i], label_of(report, row, i));
	json_key_u64(json, "samples", row->nr_samples);
	json_key_known_double(json, "count", has_counts(report, ranking), row->count);
	json_key_known_double(json, "error", has_counts(report, ranking), row_error(row));
	json_key_known_double(json, "share", true, share_of(ranking, row));
	json_key_known_u64(json, "missed", has_misses(report, ranking), row->nr_missed);
	if (ranking_has_sharing(ranking->key)) {
		json_key_known_double(json, "latency_cycles", row->nr_latencies,
				      row->nr_latencies ? latency_of(row) : 0);
		json_key_known_double(json, "threads", row->nr_threads, (double)row->nr_threads);
		write_pages(json, &row->pages);
		write_estimate(json, &row->like_it);
	}
	json_end_object(json);
}

static void write_ranking(struct json *json, const struct ranking_report *report,
			  const struct ranking *ranking)
{
	const struct model *model = report->model;

	json_begin_object(json);
	json_key_string(json, "name",
			trace_string(model->trace, model->pmu_events[ranking->event].name));
	json_key_u64(json, "samples", ranking->all.nr_samples);
	json_key_known_double(json, "count", has_counts(report, ranking), ranking->all.count);
	json_key_known_double(json, "error", has_counts(report, ranking), row_error(&ranking->all));
	json_key_known_u64(json, "missed", has_misses(report, ranking), ranking->all.nr_missed);
	json_key_u64(json, "left_out_samples", ranking->nr_left_out);
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; i < ranking->nr; i++)
		write_row(json, report, ranking, &ranking->rows[i]);
	json_end_array(json);
	json_end_object(json);
}

void report_ranking_json(const struct ranking_report *report, FILE *out)
{
	struct json json;

	json_init(&json, out, JSON_INDENTED);
	json_begin_object(&json);
	json_key_u64(&json, "version", REPORT_JSON_VERSION);
	json_key_string(&json, "file", trace_info(report->model->trace)->path);
	json_key_string(&json, "by", ranking_keys()[report->rankings[0].key]);
	json_key(&json, "events");
	json_begin_array(&json);
	for (size_t event = 0; event < report->model->nr_pmu_events; event++) {
		if (ranking_report_has(report, event))
			write_ranking(&json, report, &report->rankings[event]);
	}
	json_end_array(&json);
	json_end_object(&json);
}

static void write_csv_estimate(const struct block_estimate *estimate, FILE *out)
{
	if (estimate->one_of)
		fprintf(out, ",%" PRIu64 ",%zu", estimate->one_of, estimate->nr_lines);
	else
		fputs(",,", out);
	if (estimate->is_known)
		fprintf(out, ",%.6g,%.6g,%.6g", estimate->share, estimate->low, estimate->high);
	else
		fputs(",,,", out);
}

static void write_csv_sharing(const struct ranking *ranking, const struct ranking_row *row,
			      FILE *out)
{
	if (!ranking_has_sharing(ranking->key))
		return;
	fputc(',', out);
	if (row->nr_latencies)
		fprintf(out, "%.6g", latency_of(row));
	fputc(',', out);
	if (row->nr_threads)
		fprintf(out, "%zu", row->nr_threads);
	if (page_share_is_known(&row->pages))
		fprintf(out, ",%.6g,%" PRIu64, page_share_of_huge(&row->pages),
			page_share_page_bytes(&row->pages) / KIB);
	else
		fputs(",,", out);
	write_csv_estimate(&row->like_it, out);
}

void report_ranking_csv(const struct ranking_report *report, FILE *out)
{
	const struct model *model = report->model;
	const char *const *names = ranking_labels(report->rankings[0].key);

	fputs("event", out);
	for (int i = 0; names[i]; i++)
		fprintf(out, ",%s", names[i]);
	fputs(",samples,count,error,share,missed", out);
	fputs(ranking_has_sharing(report->rankings[0].key) ?
		      ",latency_cycles,threads,huge_share,page_kib,one_of,sampled_lines,all_share,all_low,all_high\r\n" :
		      "\r\n",
	      out);
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		const struct ranking *ranking = &report->rankings[event];

		for (size_t i = 0; i < ranking->nr && ranking_report_has(report, event); i++) {
			const struct ranking_row *row = &ranking->rows[i];

			csv_field(trace_string(model->trace, model->pmu_events[event].name), out);
			for (int j = 0; names[j]; j++) {
				fputc(',', out);
				csv_field(label_of(report, row, j), out);
			}
			fprintf(out, ",%" PRIu64, row->nr_samples);
			if (has_counts(report, ranking))
				fprintf(out, ",%.15g,%.6g", row->count, row_error(row));
			else
				fputs(",,", out);
			fprintf(out, ",%.6g,", share_of(ranking, row));
			if (has_misses(report, ranking))
				fprintf(out, "%" PRIu64, row->nr_missed);
			write_csv_sharing(ranking, row, out);
			fputs("\r\n", out);
		}
	}
}
