// SPDX-License-Identifier: GPL-2.0
/*
 * annot what-if: a trace and a change -> how long the run would have taken.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/miss_costs.h"
#include "cli/parse.h"
#include "cli/value.h"
#include "cmd/cmd.h"
#include "cmd/files/input_trace.h"
#include "cmd/words/what_if_words.h"
#include "model/reading.h"
#include "report/schema/what_if_schema.h"
#include "report/what_if/what_if_answer.h"
#include "util/diag.h"

struct what_if_options {
	const char *trace_path;
	struct what_if_words words;
	bool tries_all;
	bool json;
	bool schema; /* instead of a trace */
};

static int set_faster(void *field, const struct cli_value *value)
{
	struct what_if_options *options = field;
	const char *wrong = what_if_words_add_faster(&options->words, value->text);

	return wrong ? cli_value_error(value, wrong) : EXIT_OK;
}

/* The replay takes one of each: the last one alone would be an answer to another question. */
static int refuse_second(const struct cli_value *value)
{
	return cli_value_error(value, "may be given only once");
}

static int set_name(void *field, const struct cli_value *value)
{
	const char **name = field;

	if (*name)
		return refuse_second(value);
	*name = value->text;
	return EXIT_OK;
}

static int set_cpus(void *field, const struct cli_value *value)
{
	unsigned long *nr_cpus = field;

	if (*nr_cpus)
		return refuse_second(value);
	return cli_value_number(value, WHAT_IF_MOST_CPUS, "not a number of CPUs from 1 to 4096",
				nr_cpus);
}

static const char *const usage[] = {
	"[options] TRACE",
	"[options] --json-schema",
	NULL,
};

static const struct cli_option options[] = {
	{
		.name = "faster",
		.argument = "TASK=FACTOR",
		.set = set_faster,
		.help = "the work of this task takes 1/FACTOR of its time; may be repeated",
	},
	{
		.name = "balance",
		.argument = "REGION",
		.offset = offsetof(struct what_if_options, words.balance),
		.set = set_name,
		.help = "the threads of this parallel region have equal shares of its work",
	},
	{
		.name = "without",
		.argument = "PROGRAM",
		.offset = offsetof(struct what_if_options, words.without),
		.set = set_name,
		.help = "this program does not run",
	},
	{
		.name = "cpus",
		.argument = "N",
		.offset = offsetof(struct what_if_options, words.nr_cpus),
		.set = set_cpus,
		.help = "the session has N CPUs",
	},
	{
		.name = "pin",
		.offset = offsetof(struct what_if_options, words.pin),
		.help = "each thread stays on the CPU on which it ran longest",
	},
	{
		.name = "unpin",
		.offset = offsetof(struct what_if_options, words.unpin),
		.help = "threads may run on any CPU of the session, whatever the recording shows",
	},
	{
		.name = "no-lock",
		.argument = "LOCK",
		.offset = offsetof(struct what_if_options, words.no_lock),
		.set = set_name,
		.help = "nobody waits for this lock",
	},
	{
		.name = "merge-chunks",
		.argument = "TASK",
		.offset = offsetof(struct what_if_options, words.merge_chunks),
		.set = set_name,
		.help = "instances of this task follow each other without work between them",
	},
	{
		.name = "try-all",
		.offset = offsetof(struct what_if_options, tries_all),
		.help = "print what changes would gain that suggest themselves, each alone",
	},
	{
		.name = "json",
		.offset = offsetof(struct what_if_options, json),
		.help = "print everything as JSON",
	},
	{
		.name = "json-schema",
		.offset = offsetof(struct what_if_options, schema),
		.help = "print the JSON Schema of --json, with these changes or --try-all (without TRACE)",
	},
	CLI_END,
};

/* With what changes would gain, if that is asked for. */
static void print_answer(const struct what_if_oracle *oracle, const struct what_if_options *wanted,
			 const struct what_if_question *question)
{
	struct what_if what_if = what_if_compute(oracle, question);
	bool tries_all = wanted->tries_all && what_if.has_answer;
	struct trials trials = { 0 };

	if (tries_all)
		trials = trials_compute(oracle);
	(wanted->json ? what_if_json : what_if_text)(oracle->model, &what_if,
						     what_if_is_changed(question),
						     tries_all ? &trials : NULL, stdout);
	trials_free(&trials);
	what_if_free(&what_if);
}

static int answer(const struct model *model, const struct what_if_options *wanted)
{
	struct task_stats *stats = task_stats_compute(model);
	double *miss_ns = miss_costs_by_event(model, stats);
	struct regions *regions = regions_compute(model, stats, miss_ns);
	struct what_if_oracle oracle = what_if_oracle_new(model, regions);
	struct what_if_question question;
	int status = EXIT_OK;

	if (what_if_words_ask(&wanted->words, model, regions, &question))
		status = EXIT_BAD_INPUT;
	else
		print_answer(&oracle, wanted, &question);
	what_if_oracle_free(&oracle);
	regions_free(regions);
	free(miss_ns);
	task_stats_free(stats);
	return status;
}

static int read_and_answer(const struct what_if_options *wanted)
{
	struct trace *trace;
	struct model *model;
	int status = EXIT_BAD_INPUT;

	if (input_trace_open(wanted->trace_path, &trace))
		return EXIT_BAD_INPUT;
	if (!model_build(trace, &model)) {
		status = answer(model, wanted);
		model_free(model);
	}
	input_trace_close(trace);
	return status;
}

static int print_schema(const struct what_if_options *wanted, bool has_trace)
{
	if (has_trace || wanted->json) {
		diag_error("what-if: --json-schema stands alone, or beside changes or --try-all");
		return EXIT_USAGE;
	}
	what_if_schema(what_if_words_are_given(&wanted->words), wanted->tries_all, stdout);
	return EXIT_OK;
}

/* Whether options fit each other; if not, after one line on stderr. */
static bool options_fit(const struct what_if_options *wanted)
{
	if (wanted->tries_all && what_if_words_are_given(&wanted->words))
		return !diag_error("what-if: either --try-all or changes");
	if (wanted->words.pin && wanted->words.unpin)
		return !diag_error("what-if: either --pin or --unpin, not both");
	return true;
}

static int run(int argc, char **argv)
{
	struct what_if_options wanted = { 0 };
	int status = cli_parse(&cmd_what_if, argc, argv, &wanted);

	if (status >= 0)
		return status;
	if (!options_fit(&wanted))
		return EXIT_USAGE;
	if (wanted.schema)
		return print_schema(&wanted, optind < argc);
	if (cli_parse_trace(&cmd_what_if, argc, argv, &wanted.trace_path))
		return EXIT_USAGE;
	return read_and_answer(&wanted);
}

const struct cli_command cmd_what_if = {
	.name = "what-if",
	.summary = "predict how long the run takes with something changed",
	.usage = usage,
	.about =
		"Replays what the threads of the recorded session did by a model of the scheduler: first unchanged, "
		"which tells how far the replay is off, then with all changes. Prints the predicted length with an "
		"interval, and how much the run gains if a task has less work.",
	.options = options,
	.notes =
		"No answer is given where the unchanged replay differs from the recording by more than 10 %. "
		"annot-what-if(1) tells what the model leaves out.",
	.operand = CLI_TRACE,
	.run = run,
};
