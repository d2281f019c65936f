// SPDX-License-Identifier: GPL-2.0
/*
 * annot diff: two traces -> what became better or worse.
 */
#include <stdio.h>

#include "cmd/cmd.h"
#include "report/diff_report.h"
#include "report/analyses.h"
#include "util/diag.h"
#include "util/options.h"

struct diff_options {
	const char *paths[2];
	void (*write)(const struct diff_report *report, FILE *out); /* NULL: not told */
	bool all;
};

/* One trace, and all that is made of it. */
struct diffed {
	struct trace *trace;
	struct model *model;
	struct analysis *analysis;
	struct insights *insights;
};

static void usage(FILE *out)
{
	fputs("usage: annot diff [--all] [--json | --html] BEFORE AFTER\n"
	      "\n"
	      "Tells what differs between two traces of a program: a verdict in one line, then\n"
	      "each task and finding that became better or worse by more than its instances\n"
	      "differ among themselves.\n"
	      "\n"
	      "      --all   every task\n"
	      "      --json  everything, as JSON\n"
	      "      --html  everything, as a page for the browser\n"
	      "  -h, --help  this text\n"
	      "\n"
	      "What each figure means: man annot-diff.\n",
	      out);
}

static int set_form(struct diff_options *diff,
		    void (*write)(const struct diff_report *report, FILE *out))
{
	if (diff->write && diff->write != write)
		return diag_error("diff: either --json or --html, not both");
	diff->write = write;
	return 0;
}

static int take_paths(int argc, char **argv, struct diff_options *options)
{
	if (argc - optind < 2) {
		diag_error("diff: which two traces? (annot diff --help lists all)");
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
static int parse(int argc, char **argv, struct diff_options *diff)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "json", no_argument, NULL, 'j' },
		{ "html", no_argument, NULL, 'w' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option, failed = 0;

	while (!failed && (option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (option) {
		case 'a':
			diff->all = true;
			break;
		case 'j':
			failed = set_form(diff, diff_json);
			break;
		case 'w':
			failed = set_form(diff, diff_html);
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		default:
			return options_error("diff", option, argv, options);
		}
	}
	return failed ? EXIT_USAGE : take_paths(argc, argv, diff);
}

static int open_diffed(struct diffed *diffed, const char *path)
{
	if (trace_open(path, &diffed->trace)) {
		diffed->trace = NULL;
		return -1;
	}
	if (model_build(diffed->trace, &diffed->model)) {
		diffed->model = NULL;
		return -1;
	}
	diffed->analysis = analyse(diffed->model);
	diffed->insights = insights_new(diffed->model, diffed->analysis);
	return 0;
}

static void close_diffed(struct diffed *diffed)
{
	insights_free(diffed->insights);
	if (diffed->analysis)
		analysis_free(diffed->analysis);
	model_free(diffed->model);
	if (diffed->trace)
		trace_close(diffed->trace);
}

static void print(const struct diffed diffed[2], const struct diff_options *options)
{
	const struct diff_side sides[2] = {
		{ diffed[0].model, diffed[0].analysis, &diffed[0].insights->findings },
		{ diffed[1].model, diffed[1].analysis, &diffed[1].insights->findings },
	};
	struct diff *diff = diff_of(sides);
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

int cmd_diff(int argc, char **argv)
{
	struct diffed diffed[2] = { 0 };
	struct diff_options options = { 0 };
	int status = parse(argc, argv, &options);

	if (status >= 0)
		return status;
	status = EXIT_OK;
	for (int i = 0; i < 2 && status == EXIT_OK; i++) {
		if (open_diffed(&diffed[i], options.paths[i]))
			status = EXIT_BAD_INPUT;
	}
	if (status == EXIT_OK)
		print(diffed, &options);
	close_diffed(&diffed[0]);
	close_diffed(&diffed[1]);
	return status;
}
