// SPDX-License-Identifier: GPL-2.0
/*
 * annot report: trace.dat -> figures, for people, for programs or for tables.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/trace_content.h"
#include "report/parts.h"
#include "report/report.h"
#include "report/report_ranking.h"
#include "util/diag.h"
#include "util/options.h"

/* A form that the report has, and the ranking. */
struct report_form {
	const char *option;
	void (*print)(const struct report *report, FILE *out);
	void (*rank)(const struct ranking_report *report, FILE *out);
};

static const struct report_form text_form = { NULL, report_text, report_ranking_text };
static const struct report_form json_form = { "--json", report_json, report_ranking_json };
static const struct report_form csv_form = { "--csv", report_csv, report_ranking_csv };

struct report_options {
	const char *trace_path;
	const struct report_form *form;
	bool all_threads;
	const char *by; /* what to rank samples by; NULL: no ranking, but the report */
	enum ranking_key ranking_key;
	const char *event;
	const char *shown;
	const char *region;
	double threshold_pct; /* -1: not given */
	const struct sort_key *sort_keys[REPORT_MAX_SORT_KEYS];
	size_t nr_sort_keys;
};

static void usage(FILE *out)
{
	const char *const *keys = report_sort_keys();

	fputs("usage: annot report [--show WHAT] [--all] [--sort KEY]... [--json | --csv] TRACE\n"
	      "       annot report --by WHAT [--event NAME] [--all] [--json | --csv] TRACE\n"
	      "\n"
	      "Prints what a trace.dat tells: first the findings, those first that cost most\n"
	      "time, then what became of each task and each thread. With --by, prints where\n"
	      "samples of cache misses and other events fell.\n"
	      "\n"
	      "      --show WHAT  analyses in full, with commas in between, or all: see below\n"
	      "      --threshold PCT  of the tree of tasks, leave out what takes less of all\n"
	      "                  time (default: 1)\n"
	      "      --region NAME[:N]  the critical path of this parallel region, its Nth\n"
	      "                  instance (default: of the one with most to save)\n"
	      "      --json      everything, as JSON\n"
	      "      --csv       a row for each task and thread that ran it\n"
	      "      --all       threads that are not of the recorded session, too\n"
	      "                  (--json has them always)\n"
	      "      --sort KEY  by which figure to sort, the greatest first; again for\n"
	      "                  a second key (default: wall for tasks, on-cpu for threads)\n"
	      "      --by WHAT   where samples fell, by symbol, line, task, thread, cpu or\n"
	      "                  address (of the data), most first\n"
	      "      --event NAME  of this event only\n"
	      "  -h, --help      this text\n"
	      "\n"
	      "Keys to sort by:",
	      out);
	for (size_t i = 0; keys[i]; i++)
		fprintf(out, "%s%s", i % 6 ? ", " : i ? ",\n  " : "\n  ", keys[i]);
	fputs("\n"
	      "\n"
	      "Analyses to show:\n",
	      out);
	for (size_t i = 0; insights_parts()[i]; i++)
		fprintf(out, "  %-16s %s\n", insights_parts()[i]->name, insights_parts()[i]->help);
	fputs("\n"
	      "What each figure means: man annot-report.\n",
	      out);
}

static int add_sort_key(struct report_options *report, const char *name)
{
	const struct sort_key *key = report_sort_key(name);
	const char *nearest;

	if (!key) {
		nearest = options_nearest(name, report_sort_keys());
		diag_error(
			"report: no such key to sort by: '%s'%s%s%s (annot report --help lists all)",
			name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
			nearest ? "'?" : "");
		return -1;
	}
	if (report->nr_sort_keys == REPORT_MAX_SORT_KEYS) {
		diag_error("report: more than %d --sort", REPORT_MAX_SORT_KEYS);
		return -1;
	}
	report->sort_keys[report->nr_sort_keys++] = key;
	return 0;
}

static int set_form(struct report_options *report, const struct report_form *form)
{
	if (report->form && report->form != form)
		return diag_error("report: either --json or --csv, not both");
	report->form = form;
	return 0;
}

static int set_ranking_key(struct report_options *report, const char *name)
{
	const char *const *keys = ranking_keys();
	const char *nearest;

	for (int i = 0; keys[i]; i++) {
		if (!strcmp(keys[i], name)) {
			report->by = name;
			report->ranking_key = (enum ranking_key)i;
			return 0;
		}
	}
	nearest = options_nearest(name, keys);
	return diag_error("report: --by '%s'%s%s%s (annot report --help lists all)", name,
			  nearest ? ": did you mean '" : ": no such thing to rank by",
			  nearest ? nearest : "", nearest ? "'?" : "");
}

static int set_shown(struct report_options *report, const char *list)
{
	size_t length;
	const char *unknown = insights_list_unknown(list, &length);

	report->shown = list;
	if (!unknown)
		return 0;
	return diag_error("report: --show '%.*s': no such analysis (annot report --help lists all)",
			  (int)length, unknown);
}

static int set_threshold(struct report_options *report, const char *text)
{
	char *end;

	report->threshold_pct = strtod(text, &end);
	if (end != text && !*end && report->threshold_pct >= 0 && report->threshold_pct <= 100)
		return 0;
	return diag_error("report: --threshold '%s': not a percentage", text);
}

static int check_options(const struct report_options *report)
{
	if (report->shown && report->by)
		return diag_error("report: either --show or --by, not both");
	if (report->region && report->by)
		return diag_error("report: either --region or --by, not both");
	if (report->region && report->shown &&
	    !insights_list_has(report->shown, &critical_path_part))
		return diag_error("report: --region goes with --show critical_path");
	if (report->region && report->form == &csv_form)
		return diag_error("report: --region does not go with --csv");
	if (report->event && !report->by)
		return diag_error("report: --event goes with --by");
	if (report->nr_sort_keys && report->by)
		return diag_error("report: either --sort or --by, not both");
	return 0;
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse(int argc, char **argv, struct report_options *report)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "csv", no_argument, NULL, 'c' },
		{ "all", no_argument, NULL, 'a' },
		{ "sort", required_argument, NULL, 's' },
		{ "by", required_argument, NULL, 'b' },
		{ "event", required_argument, NULL, 'e' },
		{ "show", required_argument, NULL, 'w' },
		{ "threshold", required_argument, NULL, 't' },
		{ "region", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int option, failed = 0;

	while (!failed && (option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (option) {
		case 'j':
			failed = set_form(report, &json_form);
			break;
		case 'c':
			failed = set_form(report, &csv_form);
			break;
		case 'a':
			report->all_threads = true;
			break;
		case 's':
			failed = add_sort_key(report, optarg);
			break;
		case 'b':
			failed = set_ranking_key(report, optarg);
			break;
		case 'w':
			failed = set_shown(report, optarg);
			break;
		case 't':
			failed = set_threshold(report, optarg);
			break;
		case 'r':
			report->region = optarg;
			break;
		case 'e':
			report->event = optarg;
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		default:
			return options_error("report", option, argv, options);
		}
	}
	if (failed || check_options(report) ||
	    options_trace("report", argc, argv, &report->trace_path))
		return EXIT_USAGE;
	if (!report->form)
		report->form = &text_form;
	return -1;
}

static int print_report(const struct model *model, const struct report_options *options)
{
	struct analysis *analysis = analyse(model);
	struct insights *insights = insights_new_named(model, analysis);
	struct report report = {
		.model = model,
		.analysis = analysis,
		.insights = insights,
		/* Nobody chooses a region for nothing. */
		.shown = options->region && !options->shown ? "critical_path" : options->shown,
		.all_threads = options->all_threads || !has_session(model),
	};
	int failed = 0;

	if (options->threshold_pct >= 0)
		insights->threshold_pct = options->threshold_pct;
	if (options->region)
		failed = insights_choose_region(insights, options->region);
	if (!failed) {
		report_sort(&report, options->sort_keys, options->nr_sort_keys);
		options->form->print(&report, stdout);
	}
	report_free(&report);
	insights_free(insights);
	analysis_free(analysis);
	return failed;
}

static int print_ranking(const struct model *model, const struct report_options *options)
{
	const struct ranking_options ranking = {
		.key = options->ranking_key,
		.all_threads = options->all_threads || !has_session(model),
	};
	struct ranking_report report = { .model = model, .event = options->event };
	struct ranking *rankings;

	if (check_sampled(model, options->event))
		return -1;
	rankings = rank_samples(model, &ranking);
	if (!rankings)
		return -1;
	report.rankings = rankings;
	options->form->rank(&report, stdout);
	rankings_free(model, rankings);
	return 0;
}

int cmd_report(int argc, char **argv)
{
	struct report_options options = { .threshold_pct = -1 };
	struct trace *trace;
	struct model *model;
	int status = parse(argc, argv, &options);

	if (status >= 0)
		return status;
	if (trace_open(options.trace_path, &trace) < 0)
		return EXIT_BAD_INPUT;
	if (model_build(trace, &model) < 0) {
		trace_close(trace);
		return EXIT_BAD_INPUT;
	}
	if (options.by ? print_ranking(model, &options) : print_report(model, &options))
		status = EXIT_BAD_INPUT;
	model_free(model);
	trace_close(trace);
	return status < 0 ? EXIT_OK : status;
}
