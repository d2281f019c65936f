// SPDX-License-Identifier: GPL-2.0
/*
 * annot what-if: a trace and a change -> how long the run would have taken.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/miss_level.h"
#include "cli/parse.h"
#include "cli/value.h"
#include "cmd/cmd.h"
#include "cmd/input_trace.h"
#include "cmd/find_names.h"
#include "model/builder.h"
#include "report/what_if/what_if_answer.h"
#include "util/diag.h"

struct faster_option {
	const char *text; /* TASK=FACTOR */
	size_t name_length;
	double factor;
};

struct what_if_options {
	const char *trace_path;
	const char *balance;
	const char *without;
	const char *no_lock;
	unsigned long nr_cpus;
	bool pin;
	bool unpin;
	bool tries_all;
	bool json;
	size_t nr_faster;
	struct faster_option faster[WHAT_IF_MOST_FASTER];
};

static int set_faster(void *field, const struct cli_value *value)
{
	struct what_if_options *options = field;
	const char *equals = strrchr(value->text, '=');
	struct faster_option *faster = &options->faster[options->nr_faster];
	char *end;

	_Static_assert(WHAT_IF_MOST_FASTER == 16, "the message has the number");
	if (options->nr_faster == WHAT_IF_MOST_FASTER)
		return cli_value_error(value, "more than 16 tasks");
	if (!equals || equals == value->text)
		return cli_value_error(value, "not TASK=FACTOR, such as solve=1.5");
	faster->text = value->text;
	faster->name_length = (size_t)(equals - value->text);
	faster->factor = strtod(equals + 1, &end);
	if (end == equals + 1 || *end || !(faster->factor >= 0.01 && faster->factor <= 1000))
		return cli_value_error(value, "not a factor from 0.01 to 1000");
	options->nr_faster++;
	return EXIT_OK;
}

static int set_cpus(void *field, const struct cli_value *value)
{
	return cli_value_number(value, WHAT_IF_MOST_CPUS, "not a number of CPUs from 1 to 4096",
				field);
}

static const char *const usage[] = { "[options] TRACE", NULL };

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
		.offset = offsetof(struct what_if_options, balance),
		.help = "the threads of this parallel region have equal shares of its work",
	},
	{
		.name = "without",
		.argument = "PROGRAM",
		.offset = offsetof(struct what_if_options, without),
		.help = "this program does not run",
	},
	{
		.name = "cpus",
		.argument = "N",
		.offset = offsetof(struct what_if_options, nr_cpus),
		.set = set_cpus,
		.help = "the session has N CPUs",
	},
	{
		.name = "pin",
		.offset = offsetof(struct what_if_options, pin),
		.help = "each thread stays on the CPU on which it ran longest",
	},
	{
		.name = "unpin",
		.offset = offsetof(struct what_if_options, unpin),
		.help = "threads may run on any CPU of the session, whatever the recording shows",
	},
	{
		.name = "no-lock",
		.argument = "LOCK",
		.offset = offsetof(struct what_if_options, no_lock),
		.help = "nobody waits for this lock",
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
	CLI_END,
};

/* Names -> what the trace has. Returns -1 after one line on stderr. */
static int ask(const struct what_if_options *wanted, const struct model *model,
	       const struct regions *regions, struct what_if_question *question)
{
	*question = (struct what_if_question){
		.nr_cpus = (int)wanted->nr_cpus,
		.is_pinned = wanted->pin,
		.is_unpinned = wanted->unpin,
		.nr_faster = wanted->nr_faster,
	};
	for (size_t i = 0; i < wanted->nr_faster; i++) {
		question->faster[i].factor = wanted->faster[i].factor;
		if (find_task_name(model, wanted->faster[i].text, wanted->faster[i].name_length,
				   &question->faster[i].task))
			return -1;
	}
	if (wanted->balance &&
	    find_region_name(model, regions, wanted->balance, &question->changes.balanced))
		return -1;
	if (wanted->without &&
	    find_program_name(model, wanted->without, &question->changes.without))
		return -1;
	if (wanted->no_lock &&
	    find_lock_name(model, regions, wanted->no_lock, &question->changes.no_lock))
		return -1;
	return 0;
}

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
	enum miss_level *levels = miss_levels_of_model(model);
	struct regions *regions = regions_compute(model, stats, levels);
	struct what_if_oracle oracle = what_if_oracle_new(model, regions);
	struct what_if_question question;
	int status = EXIT_OK;

	if (ask(wanted, model, regions, &question))
		status = EXIT_BAD_INPUT;
	else
		print_answer(&oracle, wanted, &question);
	what_if_oracle_free(&oracle);
	regions_free(regions);
	free(levels);
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

static int run(int argc, char **argv)
{
	struct what_if_options wanted = { 0 };
	int status = cli_parse(&cmd_what_if, argc, argv, &wanted);

	if (status >= 0)
		return status;
	if (wanted.tries_all &&
	    (wanted.balance || wanted.without || wanted.no_lock || wanted.nr_cpus || wanted.pin ||
	     wanted.unpin || wanted.nr_faster)) {
		diag_error("what-if: either --try-all or changes");
		return EXIT_USAGE;
	}
	if (wanted.pin && wanted.unpin) {
		diag_error("what-if: either --pin or --unpin, not both");
		return EXIT_USAGE;
	}
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
