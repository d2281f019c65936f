// SPDX-License-Identifier: GPL-2.0
/*
 * annot diff: two traces -> what became better or worse.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/parse.h"
#include "cmd/cmd.h"
#include "cmd/input_trace.h"
#include "model/builder.h"
#include "report/diff/diff_html.h"
#include "report/diff/diff_json.h"
#include "report/diff/diff_report.h"
#include "report/analyses.h"
#include "report/diff/diff_text.h"
#include "util/diag.h"

struct diff_options {
	const char *paths[2];
	void (*write)(const struct diff_report *report, FILE *out); /* NULL: as text */
	bool all;
};

/* One trace and the results from it. */
struct diffed {
	struct trace *trace;
	struct model *model;
	struct task_stats *stats;
	struct analyses *analyses;
};

static int set_form(struct diff_options *diff,
		    void (*write)(const struct diff_report *report, FILE *out))
{
	if (diff->write && diff->write != write) {
		diag_error("diff: either --json or --html, not both");
		return EXIT_USAGE;
	}
	diff->write = write;
	return EXIT_OK;
}

static int set_json(void *field, const struct cli_value *value)
{
	(void)value;
	return set_form(field, diff_json);
}

static int set_html(void *field, const struct cli_value *value)
{
	(void)value;
	return set_form(field, diff_html);
}

static const char *const usage[] = { "[options] BEFORE AFTER", NULL };

static const struct cli_option options[] = {
	{
		.name = "all",
		.offset = offsetof(struct diff_options, all),
		.help = "print every task",
	},
	{ .name = "json", .set = set_json, .help = "print everything as JSON" },
	{ .name = "html", .set = set_html, .help = "print everything as a page for the browser" },
	CLI_END,
};

static int parse_paths(int argc, char **argv, struct diff_options *options)
{
	if (argc - optind < 2) {
		diag_error("diff: two traces are needed (annot diff --help lists all)");
		return EXIT_USAGE;
	}
	if (argc - optind > 2) {
		diag_error("diff: two traces at a time, not also '%s'", argv[optind + 2]);
		return EXIT_USAGE;
	}
	options->paths[0] = argv[optind];
	options->paths[1] = argv[optind + 1];
	return -1;
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct diff_options *diff)
{
	int status = cli_parse(&cmd_diff, argc, argv, diff);

	return status >= 0 ? status : parse_paths(argc, argv, diff);
}

static int open_diffed(struct diffed *diffed, const char *path)
{
	if (input_trace_open(path, &diffed->trace)) {
		diffed->trace = NULL;
		return -1;
	}
	if (model_build(diffed->trace, &diffed->model)) {
		diffed->model = NULL;
		return -1;
	}
	diffed->stats = task_stats_compute(diffed->model);
	diffed->analyses = analyses_new(diffed->model, diffed->stats);
	return 0;
}

static void close_diffed(struct diffed *diffed)
{
	analyses_free(diffed->analyses);
	if (diffed->stats)
		task_stats_free(diffed->stats);
	model_free(diffed->model);
	input_trace_close(diffed->trace);
}

static void print_diff(const struct diffed diffed[2], const struct diff_options *options)
{
	const struct diff_side sides[2] = {
		{ diffed[0].model, diffed[0].stats, &diffed[0].analyses->findings },
		{ diffed[1].model, diffed[1].stats, &diffed[1].analyses->findings },
	};
	struct diff *diff = diff_compute(sides);
	const struct diff_report report = {
		.diff = diff,
		.paths = { options->paths[0], options->paths[1] },
		.all = options->all,
	};

	if (options->write)
		options->write(&report, stdout);
	else
		diff_text(&report, stdout);
	diff_free(diff);
}

static int run(int argc, char **argv)
{
	struct diffed diffed[2] = { 0 };
	struct diff_options options = { 0 };
	int status = parse_options(argc, argv, &options);

	if (status >= 0)
		return status;
	status = EXIT_OK;
	for (int i = 0; i < 2 && status == EXIT_OK; i++) {
		if (open_diffed(&diffed[i], options.paths[i]))
			status = EXIT_BAD_INPUT;
	}
	if (status == EXIT_OK)
		print_diff(diffed, &options);
	close_diffed(&diffed[0]);
	close_diffed(&diffed[1]);
	return status;
}

const struct cli_command cmd_diff = {
	.name = "diff",
	.summary = "compare two traces by task, event and finding",
	.usage = usage,
	.about =
		"Compares two traces of a program. Prints a verdict in one line, then each task and finding "
		"that became better or worse by more than its instances differ from each other.",
	.options = options,
	.operand = CLI_TRACE,
	.run = run,
};
