// SPDX-License-Identifier: GPL-2.0
/*
 * annot diff: two traces, or several a side -> what became better or worse.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/parse.h"
#include "cmd/cmd.h"
#include "cmd/files/diffed_trace.h"
#include "cmd/files/pair_file.h"
#include "cmd/words/fail_on.h"
#include "report/diff/diff_html.h"
#include "report/diff/diff_json.h"
#include "report/diff/diff_report.h"
#include "report/diff/diff_text.h"
#include "report/diff/runs_html.h"
#include "report/diff/runs_json.h"
#include "report/diff/runs_report.h"
#include "report/diff/runs_text.h"
#include "report/loss_words.h"
#include "report/schema/diff_schema.h"
#include "report/schema/runs_schema.h"
#include "util/diag.h"
#include "util/xalloc.h"

enum diff_form {
	DIFF_TEXT,
	DIFF_JSON,
	DIFF_HTML,
	DIFF_PAGE,
};

/* How two traces are written, and several a side. */
static const struct {
	void (*write_two)(const struct diff_report *report, FILE *out);
	void (*write_runs)(const struct runs_report *report, FILE *out);
} forms[] = {
	[DIFF_TEXT] = { diff_text, runs_text },
	[DIFF_JSON] = { diff_json, runs_json },
	[DIFF_HTML] = { diff_html, runs_html },
};

struct diff_options {
	size_t nr[2]; /* traces before and after */
	char **paths[2];
	enum diff_form form;
	const char *page; /* of DIFF_PAGE: the file */
	bool all;
	bool schema; /* instead of reading the traces */
	struct fail_on fail_on;
};

static int set_form(enum diff_form *form, enum diff_form wanted)
{
	if (*form != DIFF_TEXT && *form != wanted) {
		diag_error("diff: either --json or --html or --page, not both");
		return EXIT_USAGE;
	}
	*form = wanted;
	return EXIT_OK;
}

static int set_json(void *field, const struct cli_value *value)
{
	(void)value;
	return set_form(field, DIFF_JSON);
}

static int set_html(void *field, const struct cli_value *value)
{
	(void)value;
	return set_form(field, DIFF_HTML);
}

static int set_page(void *field, const struct cli_value *value)
{
	struct diff_options *options = field;

	options->page = value->text;
	return set_form(&options->form, DIFF_PAGE);
}

static const char *const usage[] = {
	"[options] BEFORE AFTER",
	"[options] BEFORE... -- AFTER...",
	"[--fail-on RULE] --json-schema [BEFORE... -- AFTER...]",
	NULL,
};

static const struct cli_option options[] = {
	{
		.name = "all",
		.offset = offsetof(struct diff_options, all),
		.help = "print every task",
	},
	{
		.name = "json",
		.offset = offsetof(struct diff_options, form),
		.set = set_json,
		.help = "print everything as JSON",
	},
	{
		.name = "json-schema",
		.offset = offsetof(struct diff_options, schema),
		.help = "print the JSON Schema of --json, of two traces or of as many as are given (not read)",
	},
	{
		.name = "html",
		.offset = offsetof(struct diff_options, form),
		.set = set_html,
		.help = "print everything as a page for the browser",
	},
	{
		.name = "page",
		.argument = "FILE",
		.set = set_page,
		.kind = CLI_FILE,
		.help = "print nothing; write a page to FILE that shows both traces, one above the other",
	},
	{
		.name = "fail-on",
		.argument = "RULE",
		.offset = offsetof(struct diff_options, fail_on),
		.set = fail_on_add,
		.help = "exit with status 3 if this holds, as 'p95(solve) > +5 %'; may be repeated",
	},
	CLI_END,
};

/* How many words follow the first "--"; 0: there is none. */
static size_t count_after_dashes(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--"))
			return (size_t)(argc - i - 1);
	}
	return 0;
}

static int parse_paths(struct diff_options *options, char **paths, size_t nr, size_t nr_after)
{
	bool has_sides = nr_after && nr_after < nr;

	if (nr < 2) {
		diag_error("diff: two traces are needed (annot diff --help lists all)");
		return EXIT_USAGE;
	}
	if (nr > 2 && !has_sides) {
		diag_error(
			"diff: two traces without a -- between those of each side, not also '%s'",
			paths[2]);
		return EXIT_USAGE;
	}
	options->nr[1] = has_sides ? nr_after : 1;
	options->nr[0] = nr - options->nr[1];
	options->paths[0] = paths;
	options->paths[1] = paths + options->nr[0];
	return -1;
}

/* Behind a "--", getopt() takes nothing for an option. */
static int check_sides(const struct diff_options *options)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < options->nr[side]; i++) {
			const char *path = options->paths[side][i];

			if (strncmp(path, "--", 2) != 0 || !access(path, F_OK))
				continue;
			diag_error(
				"diff: there is no trace '%s'; options stand before the first --",
				path);
			return EXIT_USAGE;
		}
	}
	return -1;
}

static int print_schema(const struct diff_options *options)
{
	bool has_rules = options->fail_on.nr;

	if (options->form != DIFF_TEXT || options->all) {
		diag_error("diff: --json-schema stands alone, or beside --fail-on");
		return EXIT_USAGE;
	}
	if (options->nr[0] > 1 || options->nr[1] > 1)
		runs_schema(has_rules, stdout);
	else
		diff_schema(has_rules, stdout);
	return EXIT_OK;
}

static bool has_two(const struct diff_options *options)
{
	return options->nr[0] == 1 && options->nr[1] == 1;
}

/* A page shows two traces, and has no report. */
static int check_page(const struct diff_options *options)
{
	if (options->form != DIFF_PAGE)
		return -1;
	if (!has_two(options)) {
		diag_error("diff: --page shows two traces, not %zu and %zu", options->nr[0],
			   options->nr[1]);
		return EXIT_USAGE;
	}
	if (options->all || options->fail_on.nr) {
		diag_error("diff: either --page or %s, not both",
			   options->all ? "--all" : "--fail-on");
		return EXIT_USAGE;
	}
	return -1;
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct diff_options *diff)
{
	/* Parsing moves "--" before all operands, which stay in order. */
	size_t nr_after = count_after_dashes(argc, argv);
	int status = cli_parse(&cmd_diff, argc, argv, diff);

	if (status >= 0)
		return status;
	if (diff->schema && optind == argc)
		return print_schema(diff);
	status = parse_paths(diff, argv + optind, (size_t)(argc - optind), nr_after);
	if (status >= 0)
		return status;
	status = check_sides(diff);
	if (status >= 0)
		return status;
	return diff->schema ? print_schema(diff) : check_page(diff);
}

/* Programs are told all. */
static bool tells_all(const struct diff_options *options)
{
	return options->all || options->form == DIFF_JSON;
}

/* The tasks of @diff, of whose names @names has those of the runs. */
static struct whys whys_of_two(const struct runs *runs, const struct diff *diff,
			       struct string_table *names, const struct diff_options *options)
{
	struct whys whys = whys_new(runs);

	for (size_t i = 0; i < diff->nr_tasks && i < DIFF_MAX_ROWS; i++) {
		const struct diff_task *task = &diff->tasks[i];

		if (task->wall.stands_out || tells_all(options))
			whys_add(&whys, string_table_intern(names, task->name, strlen(task->name)),
				 task->kind);
	}
	return whys;
}

static void print_two(const struct diffed_trace diffed[2], const struct runs *runs,
		      struct string_table *names, const struct diff_options *options,
		      const struct rules_report *rules)
{
	const struct diff_side sides[2] = {
		{ diffed[0].model, diffed[0].stats, &diffed[0].analyses->findings },
		{ diffed[1].model, diffed[1].stats, &diffed[1].analyses->findings },
	};
	struct diff *diff = diff_compute(sides);
	struct whys whys = whys_of_two(runs, diff, names, options);
	const struct diff_report report = {
		.diff = diff,
		.paths = { options->paths[0][0], options->paths[1][0] },
		.losses = { runs, { options->paths[0], options->paths[1] } },
		.all = options->all,
		.why = { &whys, diff->stands_out || tells_all(options) },
		.rules = *rules,
	};

	forms[options->form].write_two(&report, stdout);
	whys_free(&whys);
	diff_free(diff);
}

static struct whys whys_of_runs(const struct runs *runs, const struct runs_diff *diff,
				const struct diff_options *options)
{
	struct whys whys = whys_new(runs);

	for (size_t i = 0; i < diff->nr_tasks && i < DIFF_MAX_ROWS; i++) {
		const struct runs_task *task = &diff->tasks[i];

		if (task->wall.stands_out || tells_all(options))
			whys_add(&whys, task->name, task->kind);
	}
	return whys;
}

static void print_runs(const struct runs *runs, const struct diff_options *options,
		       const struct rules_report *rules)
{
	struct runs_diff *diff = runs_diff_compute(runs);
	struct whys whys = whys_of_runs(runs, diff, options);
	const struct runs_report report = {
		.runs = runs,
		.diff = diff,
		.paths = { options->paths[0], options->paths[1] },
		.losses = { runs, { options->paths[0], options->paths[1] } },
		.all = options->all,
		.why = { &whys, diff->stands_out || tells_all(options) },
		.rules = *rules,
	};

	forms[options->form].write_runs(&report, stdout);
	whys_free(&whys);
	runs_diff_free(diff);
}

/* What was lost may hide what a rule is about, or look like it. */
static void warn_of_losses(const struct runs *runs, const struct diff_options *options)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			loss_words_warn(options->paths[side][i], &runs->rows[side][i].losses,
					"; rules are of what is left");
		}
	}
}

/* Whether the rules are of what the traces have, and what they come to. Returns the exit status. */
static int judge(const struct runs *runs, const struct diff_options *options,
		 struct rule_result *results)
{
	const struct fail_on *rules = &options->fail_on;

	if (!fail_on_has_tasks(rules, runs))
		return EXIT_USAGE;
	if (rules->nr)
		warn_of_losses(runs, options);
	rules_judge(rules->rules, rules->nr, runs, results);
	return rules_are_kept(results, rules->nr) ? EXIT_OK : EXIT_RULE;
}

static int compare_two(const struct diff_options *options, struct string_table *names)
{
	struct diffed_trace diffed[2] = { 0 };
	struct run_figures figures[2] = { 0 };
	const struct runs runs = { names, { 1, 1 }, { &figures[0], &figures[1] } };
	struct rule_result results[RULES_MOST];
	const struct rules_report rules = { options->fail_on.nr, results };
	int status = EXIT_OK;

	for (int side = 0; side < 2 && status == EXIT_OK; side++) {
		if (diffed_trace_open(&diffed[side], options->paths[side][0]))
			status = EXIT_BAD_INPUT;
		else
			figures[side] = diffed_trace_figures(&diffed[side], names);
	}
	if (status == EXIT_OK)
		status = judge(&runs, options, results);
	if (status == EXIT_OK || status == EXIT_RULE)
		print_two(diffed, &runs, names, options, &rules);
	for (int side = 0; side < 2; side++) {
		run_figures_free(&figures[side]);
		diffed_trace_close(&diffed[side]);
	}
	return status;
}

/* One trace after the other, as all of them together may be larger than memory. */
static int read_runs(const struct diff_options *options, struct string_table *names,
		     struct runs *runs)
{
	int status = 0;

	for (int side = 0; side < 2; side++) {
		runs->rows[side] = xcalloc(options->nr[side], sizeof(*runs->rows[side]));
		for (size_t i = 0; i < options->nr[side] && !status; i++) {
			struct diffed_trace diffed = { 0 };

			status = diffed_trace_open(&diffed, options->paths[side][i]);
			if (!status)
				runs->rows[side][runs->nr[side]++] = diffed_trace_figures(&diffed,
											  names);
			diffed_trace_close(&diffed);
		}
	}
	return status;
}

static void free_runs(struct runs *runs)
{
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++)
			run_figures_free(&runs->rows[side][i]);
		free(runs->rows[side]);
	}
}

static int compare_runs(const struct diff_options *options, struct string_table *names)
{
	struct runs runs = { .names = names };
	struct rule_result results[RULES_MOST];
	const struct rules_report rules = { options->fail_on.nr, results };
	int status = EXIT_BAD_INPUT;

	if (!read_runs(options, names, &runs))
		status = judge(&runs, options, results);
	if (status == EXIT_OK || status == EXIT_RULE)
		print_runs(&runs, options, &rules);
	free_runs(&runs);
	return status;
}

static int print_report(const struct diff_options *options)
{
	struct string_table *names = string_table_new();
	int status = has_two(options) ? compare_two(options, names) : compare_runs(options, names);

	string_table_free(names);
	return status;
}

static int write_page(const struct diff_options *options)
{
	const char *const paths[2] = { options->paths[0][0], options->paths[1][0] };

	return pair_file_write(paths, options->page);
}

static int run(int argc, char **argv)
{
	struct diff_options options = { 0 };
	int status = parse_options(argc, argv, &options);

	if (status >= 0)
		return status;
	return options.form == DIFF_PAGE ? write_page(&options) : print_report(&options);
}

const struct cli_command cmd_diff = {
	.name = "diff",
	.summary = "compare two traces by task, event and finding",
	.usage = usage,
	.about =
		"Compares two traces of a program. Prints a verdict in one line, then each task and finding "
		"that became better or worse by more than its instances differ from each other. With several traces a side, "
		"a -- between them, it is by more than runs differ from each other.",
	.options = options,
	.operand = CLI_TRACE,
	.run = run,
};
