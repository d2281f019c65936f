// SPDX-License-Identifier: GPL-2.0
/*
 * annot report: trace.dat -> figures, for people, for programs or for tables.
 */
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "cli/parse.h"
#include "cli/value.h"
#include "cmd/cmd.h"
#include "cmd/words/find_names.h"
#include "cmd/files/input_trace.h"
#include "cmd/files/trace_content.h"
#include "model/reading.h"
#include "model/window/filter.h"
#include "report/analysis_list.h"
#include "report/choose_region.h"
#include "report/report.h"
#include "report/report_ranking.h"
#include "report/report_csv.h"
#include "report/report_json.h"
#include "report/report_text.h"
#include "report/report_sort.h"
#include "report/schema/ranking_schema.h"
#include "report/schema/report_schema.h"
#include "report/schema/stacks_schema.h"
#include "report/stacks/stacks_report.h"
#include "symbols/frame_names.h"
#include "util/diag.h"

/* A form that the report has, and the ranking. */
struct report_form {
	const char *option;
	void (*print)(const struct report *report, FILE *out);
	void (*rank)(const struct ranking_report *report, FILE *out);
};

static const struct report_form text_form = { NULL, report_text, report_ranking_text };
static const struct report_form json_form = { "--json", report_json, report_ranking_json };
static const struct report_form csv_form = { "--csv", report_csv, report_ranking_csv };

struct deadline_option {
	const char *text; /* TASK=TIME */
	size_t name_length;
	uint64_t ns;
};

struct report_options {
	const char *trace_path;
	const struct report_form *form;
	bool schema; /* instead of a trace */
	bool all_threads;
	const char *by; /* what to rank samples by; NULL: no ranking, but the report */
	enum ranking_key ranking_key;
	const char *event;
	const char *shown;
	const char *region;
	const char *stacks; /* what to print of call stacks; NULL: not these */
	enum stacks_of stacks_of;
	size_t nr_deadlines;
	struct deadline_option deadlines[DEADLINES_MOST];
	const char *metrics; /* a directory; NULL: none */
	double threshold_pct; /* -1: not given */
	const struct sort_key *sort_keys[REPORT_MAX_SORT_KEYS];
	size_t nr_sort_keys;
};

/* What separates entry @i of a list of names, at most @nr_in_line in a line. */
static const char *separator_after(size_t i, size_t nr_in_line)
{
	if (i % nr_in_line)
		return ", ";
	return i ? ",\n  " : "\n  ";
}

static void print_lists(FILE *out)
{
	const char *const *keys = report_sort_keys();

	fputs("Keys to sort by:", out);
	for (size_t i = 0; keys[i]; i++)
		fprintf(out, "%s%s", separator_after(i, 6), keys[i]);
	fputs("\n\nAnalyses to show:\n", out);
	for (size_t i = 0; analysis_descs()[i]; i++)
		cli_help_print_item(out, 15, analysis_descs()[i]->name, analysis_descs()[i]->help);
	putc('\n', out);
}

static void offer_names(FILE *out, const char *const *names)
{
	for (size_t i = 0; names[i]; i++)
		fprintf(out, "%s\n", names[i]);
}

static void offer_sort_keys(FILE *out)
{
	offer_names(out, report_sort_keys());
}

static void offer_ranking_keys(FILE *out)
{
	offer_names(out, ranking_keys());
}

static void offer_stacks(FILE *out)
{
	offer_names(out, stacks_of_names);
}

static void offer_analyses(FILE *out)
{
	for (size_t i = 0; analysis_descs()[i]; i++)
		fprintf(out, "%s\n", analysis_descs()[i]->name);
	fputs("all\n", out);
}

static int add_sort_key(void *field, const struct cli_value *value)
{
	struct report_options *report = field;
	const struct sort_key *key = report_sort_key(value->text);

	if (!key)
		return cli_value_unknown(value, report_sort_keys(), "no such key");
	_Static_assert(REPORT_MAX_SORT_KEYS == 8, "the message has the number");
	if (report->nr_sort_keys == REPORT_MAX_SORT_KEYS)
		return cli_value_error(value, "more than 8 keys");
	report->sort_keys[report->nr_sort_keys++] = key;
	return EXIT_OK;
}

static int set_form(struct report_options *report, const struct report_form *form)
{
	if (report->form && report->form != form) {
		diag_error("report: either --json or --csv, not both");
		return EXIT_USAGE;
	}
	report->form = form;
	return EXIT_OK;
}

static int set_json(void *field, const struct cli_value *value)
{
	(void)value;
	return set_form(field, &json_form);
}

static int set_csv(void *field, const struct cli_value *value)
{
	(void)value;
	return set_form(field, &csv_form);
}

static int set_ranking_key(void *field, const struct cli_value *value)
{
	struct report_options *report = field;
	const char *const *keys = ranking_keys();

	for (int i = 0; keys[i]; i++) {
		if (!strcmp(keys[i], value->text)) {
			report->by = keys[i];
			report->ranking_key = (enum ranking_key)i;
			return EXIT_OK;
		}
	}
	return cli_value_unknown(value, keys, "samples cannot be ranked by this");
}

static int set_shown(void *field, const struct cli_value *value)
{
	const char **shown = field;
	size_t length;
	const char *unknown = analyses_list_unknown(value->text, &length);

	*shown = value->text;
	if (!unknown)
		return EXIT_OK;
	diag_error("report: --show '%.*s': no such analysis (annot report --help lists all)",
		   (int)length, unknown);
	return EXIT_USAGE;
}

static int set_stacks(void *field, const struct cli_value *value)
{
	struct report_options *report = field;

	for (int i = 0; stacks_of_names[i]; i++) {
		if (!strcmp(stacks_of_names[i], value->text)) {
			report->stacks = stacks_of_names[i];
			report->stacks_of = (enum stacks_of)i;
			return EXIT_OK;
		}
	}
	return cli_value_unknown(value, stacks_of_names, "call stacks do not have this");
}

static int set_threshold(void *field, const struct cli_value *value)
{
	double *percent = field;
	char *end;

	*percent = strtod(value->text, &end);
	if (end != value->text && !*end && *percent >= 0 && *percent <= 100)
		return EXIT_OK;
	return cli_value_error(value, "not a percentage");
}

static int add_deadline(void *field, const struct cli_value *value)
{
	struct report_options *report = field;
	struct deadline_option *deadline = &report->deadlines[report->nr_deadlines];
	const char *equals = strrchr(value->text, '=');
	double ns;

	_Static_assert(DEADLINES_MOST == 16, "the message has the number");
	if (report->nr_deadlines == DEADLINES_MOST)
		return cli_value_error(value, "more than 16 deadlines");
	if (!equals || equals == value->text)
		return cli_value_error(value, "not TASK=TIME, such as request=5ms");
	if (!filter_duration_parse(&ns, equals + 1))
		return cli_value_error(value, "not a time with its unit, such as 5ms");
	if (ns < 1)
		return cli_value_error(value, "less than 1ns");
	*deadline = (struct deadline_option){ value->text, (size_t)(equals - value->text),
					      (uint64_t)llround(ns) };
	report->nr_deadlines++;
	return EXIT_OK;
}

static const char *const usage[] = {
	"[--show WHAT] [--sort KEY]... [options] TRACE",
	"--by WHAT [options] TRACE",
	"--stacks WHAT [options] TRACE",
	"[--by WHAT | --stacks WHAT] --json-schema",
	NULL,
};

static const struct cli_option options[] = {
	{
		.name = "show",
		.argument = "WHAT",
		.offset = offsetof(struct report_options, shown),
		.set = set_shown,
		.kind = CLI_LIST,
		.offer = offer_analyses,
		.help = "print these analyses in full (names below, with commas between them), or all",
	},
	{
		.name = "threshold",
		.argument = "PERCENT",
		.offset = offsetof(struct report_options, threshold_pct),
		.set = set_threshold,
		.help = "leave out what takes less than PERCENT of the time from the tree of "
			"tasks, or from that of --stacks (default: 1)",
	},
	{
		.name = "region",
		.argument = "NAME[:N]",
		.offset = offsetof(struct report_options, region),
		.help = "print the critical path of this region, of its Nth instance (default: of "
			"the instance with most to save)",
	},
	{
		.name = "deadline",
		.argument = "TASK=TIME",
		.set = add_deadline,
		.help = "print how many instances of this task take longer than TIME (as 5ms), and "
			"what they have more of; may be repeated",
	},
	{
		.name = "metrics",
		.argument = "DIR",
		.offset = offsetof(struct report_options, metrics),
		.kind = CLI_FILE,
		.help = "print metrics of tasks by the formulas in DIR, a CPU's directory of the "
			"kernel's pmu-events or of intel/perfmon, whose events were counted",
	},
	{ .name = "json", .set = set_json, .help = "print everything as JSON" },
	{
		.name = "json-schema",
		.offset = offsetof(struct report_options, schema),
		.help = "print the JSON Schema of --json, of this form (without TRACE)",
	},
	{
		.name = "csv",
		.set = set_csv,
		.help = "print a row for each task and thread that ran it",
	},
	{
		.name = "all",
		.offset = offsetof(struct report_options, all_threads),
		.help = "print threads outside the recorded session, too (--json always has them)",
	},
	{
		.name = "sort",
		.argument = "KEY",
		.set = add_sort_key,
		.kind = CLI_WORD,
		.offer = offer_sort_keys,
		.help = "sort by this figure, the greatest first; may be repeated (default: wall for "
			"tasks, on-cpu for threads)",
	},
	{
		.name = "by",
		.argument = "WHAT",
		.set = set_ranking_key,
		.kind = CLI_WORD,
		.offer = offer_ranking_keys,
		.help = "rank samples of misses and other events by symbol, line, task, thread, "
			"cpu, address (of the data) or object (whose data)",
	},
	{
		.name = "event",
		.letter = 'e',
		.argument = "NAME",
		.offset = offsetof(struct report_options, event),
		.help = "rank samples of this event only, or take its call stacks",
	},
	{
		.name = "stacks",
		.argument = "WHAT",
		.set = set_stacks,
		.kind = CLI_WORD,
		.offer = offer_stacks,
		.help = "print the tree of callers with their shares of the time off-cpu (by what "
			"was waited for) or on-cpu, of the sampled misses, or of the time off-cpu by who ended it (wakers)",
	},
	CLI_END,
};

static int check_options(const struct report_options *report)
{
	if (report->shown && report->by)
		return diag_error("report: either --show or --by, not both");
	if (report->region && report->by)
		return diag_error("report: either --region or --by, not both");
	if (report->region && report->shown &&
	    !analyses_list_has(report->shown, &critical_path_analysis))
		return diag_error("report: --region needs critical_path in the list of --show");
	if (report->region && report->form == &csv_form)
		return diag_error("report: either --region or --csv, not both");
	if (report->stacks && (report->shown || report->by || report->region))
		return diag_error(
			"report: --stacks stands alone, without --show, --by and --region");
	if (report->stacks && report->form == &csv_form)
		return diag_error("report: --stacks has no --csv: annot convert --folded");
	if (report->event && !report->by && !(report->stacks && report->stacks_of == STACKS_MISSES))
		return diag_error("report: --event needs --by, or --stacks misses");
	if (report->nr_deadlines && (report->by || report->stacks))
		return diag_error("report: --deadline needs the report, without --by and --stacks");
	if (report->nr_deadlines && report->form == &csv_form)
		return diag_error("report: either --deadline or --csv, not both");
	if (report->nr_deadlines && report->shown &&
	    !analyses_list_has(report->shown, &slow_instances_analysis))
		return diag_error("report: --deadline needs slow_instances in the list of --show");
	if (report->metrics && (report->by || report->stacks || report->form == &csv_form))
		return diag_error(
			"report: --metrics needs the report, without --by, --stacks and --csv");
	if (report->metrics && report->shown &&
	    !analyses_list_has(report->shown, &metrics_analysis))
		return diag_error("report: --metrics needs metrics in the list of --show");
	if (report->nr_sort_keys && report->by)
		return diag_error("report: either --sort or --by, not both");
	return 0;
}

static bool changes_nothing(const struct report_options *report)
{
	return !report->form && !report->all_threads && !report->event && !report->shown &&
	       !report->region && !report->nr_deadlines && !report->metrics &&
	       !report->nr_sort_keys && report->threshold_pct < 0;
}

/* It is of every trace: beside it may stand only what chooses the document. */
static int print_schema(const struct report_options *report, bool has_trace)
{
	if (has_trace || !changes_nothing(report) || (report->by && report->stacks)) {
		diag_error("report: --json-schema stands alone, or beside either --by or --stacks");
		return EXIT_USAGE;
	}
	if (report->by)
		ranking_schema(report->ranking_key, stdout);
	else if (report->stacks)
		stacks_schema(report->stacks_of, stdout);
	else
		report_schema(stdout);
	return EXIT_OK;
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct report_options *report)
{
	int status = cli_parse(&cmd_report, argc, argv, report);

	if (status >= 0)
		return status;
	if (report->schema)
		return print_schema(report, optind < argc);
	if (check_options(report) || cli_parse_trace(&cmd_report, argc, argv, &report->trace_path))
		return EXIT_USAGE;
	if (!report->form)
		report->form = &text_form;
	return -1;
}

static bool has_deadline(const struct deadlines *deadlines, uint32_t name, uint64_t ns)
{
	for (size_t i = 0; i < deadlines->nr; i++) {
		if (deadlines->rows[i].name == name && deadlines->rows[i].ns == ns)
			return true;
	}
	return false;
}

/* Names -> what the trace has, each deadline once. Returns -1 after one line on stderr. */
static int find_deadlines(const struct model *model, const struct report_options *options,
			  struct deadlines *deadlines)
{
	deadlines->nr = 0;
	for (size_t i = 0; i < options->nr_deadlines; i++) {
		const struct deadline_option *option = &options->deadlines[i];
		uint32_t name;

		if (find_task_name(model, option->text, option->name_length, &name))
			return -1;
		if (has_deadline(deadlines, name, option->ns))
			continue;
		deadlines->rows[deadlines->nr].name = name;
		deadlines->rows[deadlines->nr++].ns = option->ns;
	}
	return 0;
}

/* What options ask for without --show. */
static const char *shown_by(const struct report_options *options)
{
	static const char *const lists[] = {
		NULL,
		"critical_path",
		"slow_instances",
		"critical_path,slow_instances",
		"metrics",
		"critical_path,metrics",
		"slow_instances,metrics",
		"critical_path,slow_instances,metrics",
	};

	if (options->shown)
		return options->shown;
	return lists[(options->region ? 1 : 0) + (options->nr_deadlines ? 2 : 0) +
		     (options->metrics ? 4 : 0)];
}

static int print_analyses(const struct model *model, const struct report_options *options,
			  const struct deadlines *deadlines, const struct metric_dir *metrics)
{
	struct task_stats *stats = task_stats_compute(model);
	struct analyses *analyses = analyses_new_named(model, stats, deadlines, metrics);
	struct report report = {
		.model = model,
		.stats = stats,
		.analyses = analyses,
		.shown = shown_by(options),
		.all_threads = options->all_threads || !trace_content_has_session(model),
	};
	int failed = 0;

	if (options->threshold_pct >= 0)
		analyses->threshold_pct = options->threshold_pct;
	if (options->region)
		failed = analyses_choose_region(analyses, options->region);
	if (!failed) {
		report_sort(&report, options->sort_keys, options->nr_sort_keys);
		options->form->print(&report, stdout);
	}
	report_free(&report);
	analyses_free(analyses);
	task_stats_free(stats);
	return failed;
}

static int print_report(const struct model *model, const struct report_options *options)
{
	struct deadlines deadlines;
	struct metric_dir metrics = { 0 };
	int failed = find_deadlines(model, options, &deadlines);

	if (!failed && options->metrics)
		failed = metric_dir_read(options->metrics, &metrics) ? -1 : 0;
	if (!failed)
		failed = print_analyses(model, options, options->nr_deadlines ? &deadlines : NULL,
					options->metrics ? &metrics : NULL);
	metric_dir_free(&metrics);
	return failed;
}

static int print_ranking(const struct model *model, const struct report_options *options)
{
	const struct ranking_options ranking = {
		.key = options->ranking_key,
		.all_threads = options->all_threads || !trace_content_has_session(model),
	};
	struct ranking_report report = { .model = model, .event = options->event };
	struct ranking *rankings;

	if (trace_content_check_samples(model, options->event))
		return -1;
	rankings = ranking_compute(model, &ranking);
	if (!rankings)
		return -1;
	report.rankings = rankings;
	options->form->rank(&report, stdout);
	ranking_free(model, rankings);
	return 0;
}

static int print_stacks(struct model *model, const struct report_options *options)
{
	struct stack_weights_options wanted = {
		.of = options->stacks_of,
		.all_threads = options->all_threads || !trace_content_has_session(model),
	};
	struct stacks_report report = {
		.model = model,
		.threshold_pct = options->threshold_pct >= 0 ? options->threshold_pct : 1,
	};
	struct stack_weights weights;

	if (trace_content_choose_stacks(model, options->event, &wanted) || frame_names_fill(model))
		return -1;
	weights = stack_weights_compute(model, &wanted);
	report.weights = &weights;
	if (options->form == &json_form)
		stacks_report_json(&report, stdout);
	else
		stacks_report_text(&report, stdout);
	stack_weights_free(&weights);
	return 0;
}

static int print_model(struct model *model, const struct report_options *options)
{
	if (options->stacks)
		return print_stacks(model, options);
	return options->by ? print_ranking(model, options) : print_report(model, options);
}

static int run(int argc, char **argv)
{
	struct report_options options = { .threshold_pct = -1 };
	struct trace *trace;
	struct model *model;
	int status = parse_options(argc, argv, &options);

	if (status >= 0)
		return status;
	if (input_trace_open(options.trace_path, &trace) < 0)
		return EXIT_BAD_INPUT;
	if (model_build(trace, &model) < 0) {
		input_trace_close(trace);
		return EXIT_BAD_INPUT;
	}
	if (print_model(model, &options))
		status = EXIT_BAD_INPUT;
	model_free(model);
	input_trace_close(trace);
	return status < 0 ? EXIT_OK : status;
}

const struct cli_command cmd_report = {
	.name = "report",
	.summary = "print findings, and figures of tasks and threads",
	.usage = usage,
	.about =
		"Prints the figures of a trace.dat: first the findings (what cost time, the most expensive "
		"first), then the time of each task and of each thread. With --by, prints where "
		"samples of cache misses and other events fell; with --stacks, which callers "
		"time or misses belong to.",
	.options = options,
	.print_lists = print_lists,
	.operand = CLI_TRACE,
	.run = run,
};
