// SPDX-License-Identifier: GPL-2.0
/*
 * annot html: trace.dat -> one page.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/parse.h"
#include "cli/value.h"
#include "cmd/cmd.h"
#include "cmd/words/filter_options.h"
#include "cmd/files/output_file.h"
#include "cmd/files/trace_page.h"
#include "util/diag.h"

struct html_options {
	const char *trace_path;
	const char *output;
	const char *title;
	uint64_t most_bytes;
	struct page_events_choice events;
	bool force_findings;
	bool no_findings;
	struct filter_options filter;
};

/* "20M": of 1024 times 1024 bytes. False if @text is no size, or 0. */
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

static int set_most_bytes(void *field, const struct cli_value *value)
{
	if (parse_bytes(value->text, field))
		return EXIT_OK;
	return cli_value_error(value, "not a size, such as 500k, 20M or 1G");
}

static int set_events(void *field, const struct cli_value *value)
{
	if (page_events_parse(value->text, field))
		return EXIT_OK;
	return cli_value_error(value, "not all, none, a number, or a list of SYSTEM:EVENT");
}

static const char *const usage[] = { "[options] TRACE", NULL };

static const struct cli_option options[] = {
	{
		.name = "output",
		.letter = 'o',
		.argument = "FILE",
		.offset = offsetof(struct html_options, output),
		.kind = CLI_FILE,
		.help = "write the page to FILE; - is standard output (default: the trace's name, "
			"ending in .html)",
	},
	{
		.name = "title",
		.argument = "TEXT",
		.offset = offsetof(struct html_options, title),
		.help = "the page's title (default: the trace's name)",
	},
	FILTER_TIME_OPTIONS(offsetof(struct html_options, filter)),
	FILTER_ROW_OPTIONS(offsetof(struct html_options, filter)),
	{
		.name = "events",
		.argument = "LIST",
		.offset = offsetof(struct html_options, events),
		.set = set_events,
		.help = "of events that nothing else shows, put these into the page: all, none, N in "
			"all, or SYSTEM:EVENT,... (default: 20000, of the types with the fewest)",
	},
	{
		.name = "max-bytes",
		.argument = "N",
		.offset = offsetof(struct html_options, most_bytes),
		.set = set_most_bytes,
		.help = "make the page no larger than N bytes, as 500k, 20M or 1G: parts of the "
			"trace lose their details, and the page says which",
	},
	{
		.name = "force-findings",
		.offset = offsetof(struct html_options, force_findings),
		.help = "look for findings even if there seems to be too little room for the "
			"timeline: 45 bytes an event, in memory or on the disk",
	},
	{
		.name = "no-findings",
		.offset = offsetof(struct html_options, no_findings),
		.help = "look for no findings: the page has lanes only, and takes less than half of the time",
	},
	CLI_END,
};

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct html_options *html)
{
	int status = cli_parse(&cmd_html, argc, argv, html);

	if (status >= 0)
		return status;
	if (filter_options_check(&html->filter, "html") ||
	    cli_parse_trace(&cmd_html, argc, argv, &html->trace_path))
		return EXIT_USAGE;
	if (!html->no_findings || !html->force_findings)
		return -1;
	diag_error("html: --no-findings and --force-findings do not go together");
	return EXIT_USAGE;
}

static int write_page(struct trace *trace, void *context, FILE *out)
{
	const struct html_options *html = context;
	const struct trace_page page = {
		.title = html->title,
		.filter = html->filter.given ? &html->filter.filter : NULL,
		.events = html->events,
		.most_bytes = html->most_bytes,
		.force_findings = html->force_findings,
		.no_findings = html->no_findings,
	};

	return trace_page_write(trace, &page, out);
}

static int run(int argc, char **argv)
{
	struct html_options html = { 0 };
	int status;

	page_events_parse(NULL, &html.events);
	status = parse_options(argc, argv, &html);
	if (status >= 0)
		return status;
	return output_file_write(html.trace_path, html.output, ".html", write_page, &html);
}

const struct cli_command cmd_html = {
	.name = "html",
	.summary = "turn a trace into one page for the browser",
	.usage = usage,
	.about =
		"Makes one HTML page of a trace.dat. It opens in any browser of 2023 or later, without a "
		"network. It shows the findings (what cost time), which thread ran on each CPU, the "
		"state of each thread, and the program's spans, marks and counters.",
	.options = options,
	.notes = "In the page, press ? for its keys.",
	.operand = CLI_TRACE,
	.run = run,
};
