// SPDX-License-Identifier: GPL-2.0
#include "report/diff/losses_report.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/loss_words.h"
#include "util/text/html_text.h"
#include "util/text/text.h"

static void print_trace(const char *path, const struct trace_losses *losses, FILE *out)
{
	if (losses->nr_gaps) {
		fputs("*** EVENTS WERE LOST in ", out);
		text_print_name(out, path, -1, 0);
		fputs(": ", out);
		loss_words_print_events(losses, out);
		fputs(". That time counts as unknown.\n", out);
	}
	if (losses->nr_annotations) {
		fputs("*** ANNOTATIONS WERE LOST in ", out);
		text_print_name(out, path, -1, 0);
		fprintf(out, ": at least %" PRIu64 ". Spans may be missing, or end too late.\n",
			losses->nr_annotations);
	}
}

void losses_report_text(const struct losses_report *report, FILE *out)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < report->runs->nr[side]; i++)
			print_trace(report->paths[side][i], &report->runs->rows[side][i].losses,
				    out);
	}
}

static struct trace_losses sum_of(const struct runs *runs, int side)
{
	struct trace_losses sum = { 0 };

	for (size_t i = 0; i < runs->nr[side]; i++) {
		sum.nr_events += runs->rows[side][i].losses.nr_events;
		sum.nr_gaps += runs->rows[side][i].losses.nr_gaps;
		sum.nr_annotations += runs->rows[side][i].losses.nr_annotations;
	}
	return sum;
}

void losses_report_json(const struct losses_report *report, struct json *json)
{
	static const char *const keys[2] = { "before_lost", "after_lost" };

	for (int side = 0; side < 2; side++) {
		const struct trace_losses sum = sum_of(report->runs, side);

		json_key(json, keys[side]);
		json_begin_object(json);
		json_key_u64(json, "lost_events", sum.nr_events);
		json_key_u64(json, "lost_gaps", sum.nr_gaps);
		json_key_u64(json, "lost_annotations", sum.nr_annotations);
		json_end_object(json);
	}
}

static void write_trace(const char *path, const struct trace_losses *losses, FILE *out)
{
	char *words;

	if (!trace_losses_are_any(losses))
		return;
	words = loss_words(losses);
	fputs("<p><b>", out);
	html_text_write(path, out);
	fprintf(out, ": %s</b></p>\n", words);
	free(words);
}

void losses_report_html(const struct losses_report *report, FILE *out)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < report->runs->nr[side]; i++)
			write_trace(report->paths[side][i], &report->runs->rows[side][i].losses,
				    out);
	}
}
