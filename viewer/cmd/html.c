// SPDX-License-Identifier: GPL-2.0
/*
 * annot html: trace.dat -> one page.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/analysis_json.h"
#include "cmd/cmd.h"
#include "cmd/filter_options.h"
#include "cmd/read_progress.h"
#include "cmd/output_file.h"
#include "page/page.h"
#include "util/diag.h"
#include "util/options.h"
#include "util/output.h"

struct html_options {
	const char *trace_path;
	const char *output;
	const char *title;
	uint64_t most_bytes;
	bool analyse_always;
	struct filter_options filter;
};

static void usage(FILE *out)
{
	fputs("usage: annot html [-o FILE] [--title TEXT] [--from TIME] [--to TIME]\n"
	      "                  [--thread LIST] [--task LIST] [--cpu LIST] [--max-bytes N]\n"
	      "                  [--findings] TRACE\n"
	      "\n"
	      "Turns a trace.dat into one HTML page that opens in any browser of 2023 or\n"
	      "later, without a network: who ran on each CPU, what each thread did and was\n"
	      "kept from doing, the program's own spans, marks and counters; and first of all\n"
	      "what cost time, as annot report finds it.\n"
	      "\n"
	      "  -o, --output FILE   where to write the page; - is standard output\n"
	      "                      (default: the trace's name, ending in .html)\n"
	      "      --title TEXT    the page's title (default: the trace's name)\n"
	      "      --from TIME     only from there on: in seconds, as trace-cmd report\n"
	      "                      prints times; or since the start: +1.5s, +200ms\n"
	      "      --to TIME       only up to there\n"
	      "      --thread LIST   only these threads: tids and names, commas in between\n"
	      "      --task LIST     only threads that have spans of these names\n"
	      "      --cpu LIST      only these CPUs, and what ran there: 0,2-5\n"
	      "      --max-bytes N   no larger a page than that, k, M or G: rather without the\n"
	      "                      detail of stretches of time, which the page tells\n"
	      "      --findings      look for what cost time in a trace of more than 3 million\n"
	      "                      events, too, which takes 45 bytes of memory for each\n"
	      "  -h, --help          this text\n"
	      "\n"
	      "In the page, press ? for its keys.\n",
	      out);
}

/* "20M": of 1024 times 1024 bytes. False if it is none, or 0. */
static bool parse_bytes(const char *text, uint64_t *bytes)
{
	static const char units[] = "kMG";
	unsigned long long number;
	const char *unit;
	char *end;
	int shift = 0;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || end == text || *text < '0' || *text > '9')
		return false;
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		shift = 10 * (int)(unit - units + 1);
		end++;
	}
	*bytes = (uint64_t)number << shift;
	return !*end && number && *bytes >> shift == number;
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse(int argc, char **argv, struct html_options *html)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "title", required_argument, NULL, 't' },
		{ "max-bytes", required_argument, NULL, 'm' },
		{ "findings", no_argument, NULL, 'f' },
		FILTER_TIME_OPTIONS,
		FILTER_ROW_OPTIONS,
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option, taken;

	while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
		switch (option) {
		case 'o':
			html->output = optarg;
			break;
		case 't':
			html->title = optarg;
			break;
		case 'm':
			if (!parse_bytes(optarg, &html->most_bytes)) {
				diag_error("html: --max-bytes: '%s' is no size: 500k, 20M, 1G",
					   optarg);
				return EXIT_USAGE;
			}
			break;
		case 'f':
			html->analyse_always = true;
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		default:
			taken = filter_option_take(&html->filter, "html", option, optarg);
			if (taken < 0)
				return EXIT_USAGE;
			if (taken > 0)
				return options_error("html", option, argv, options);
		}
	}
	if (filter_options_check(&html->filter, "html") ||
	    options_trace("html", argc, argv, &html->trace_path))
		return EXIT_USAGE;
	return -1;
}

/*
 * Windows come and go, and each is some MB: giving these back to the kernel every time, to have them
 * cleared again, costs a fifth of all.
 */
static void keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 256 << 20);
	mallopt(M_TRIM_THRESHOLD, 512 << 20);
	mallopt(M_TOP_PAD, 16 << 20);
}

static int write_selection(struct trace *trace, const struct html_options *html,
			   struct selection *selection, const char *analysis, FILE *out)
{
	char title[PATH_MAX];
	const struct page_options page = {
		.title = html->title ? html->title : title,
		.selection = selection,
		.progress = reading_progress,
		.analysis = analysis,
		.most_bytes = html->most_bytes,
	};

	snprintf(title, sizeof(title), "%s%s", output_base_name(html->trace_path),
		 selection ? " (a part)" : "");
	return page_write(trace, &page, out);
}

static int write_page(struct trace *trace, void *context, FILE *out)
{
	const struct html_options *html = context;
	const struct model_filter *filter = html->filter.given ? &html->filter.filter : NULL;
	struct selection *selection = NULL;
	char *analysis = NULL;
	int status = 0;

	reading_begin(trace, filter ? 2 : 1);
	if (filter)
		status = selection_new(html->trace_path, filter, reading_progress, &selection);
	if (!status)
		status = analysis_json(html->trace_path, filter,
				       html->analyse_always ? UINT64_MAX : ANALYSIS_MOST_EVENTS,
				       &analysis);
	/* Of what the analyses took, nothing is kept. */
	keep_memory();
	if (!status)
		status = write_selection(trace, html, selection, analysis, out);
	reading_end();
	free(analysis);
	selection_free(selection);
	return status;
}

int cmd_html(int argc, char **argv)
{
	struct html_options html = { 0 };
	int status = parse(argc, argv, &html);

	if (status >= 0)
		return status;
	return write_trace_file(html.trace_path, html.output, ".html", write_page, &html);
}
