// SPDX-License-Identifier: GPL-2.0
/*
 * annot attach: what annot record --attach would load into a program, and the environment with which
 * others load it.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>

#include "attach/complain.h"
#include "cli/parse.h"
#include "cmd/words/attach_print.h"
#include "cmd/words/attach_words.h"
#include "cmd/cmd.h"
#include "record/check.h"
#include "util/diag.h"

struct attach_options {
	bool list;
	bool json;
	struct attach_request environment;
};

static const char *const usage[] = {
	"--list [--json] [PROGRAM [ARGUMENT...]]",
	"--env[=LIST] [PROGRAM [ARGUMENT...]]",
	NULL,
};

static const struct cli_option options[] = {
	{
		.name = "list",
		.offset = offsetof(struct attach_options, list),
		.help = "print which conventions PROGRAM uses, and what would be loaded; without PROGRAM, "
			"what is installed",
	},
	{
		.name = "json",
		.offset = offsetof(struct attach_options, json),
		.help = "print the list as JSON",
	},
	{
		.name = "env",
		.argument = "LIST",
		.may_lack_argument = true,
		.offset = offsetof(struct attach_options, environment),
		.set = attach_words_set_request,
		.kind = CLI_LIST,
		.offer = attach_words_offer,
		.help = "print the environment that loads it, as commands for sh: for what PROGRAM uses, "
			"or for what LIST names: openmp, itt, nvtx, kokkos, mpi, pthread, likwid, scorep, "
			"heap",
	},
	CLI_END,
};

static int refuse(const char *what)
{
	diag_error("attach: %s (annot attach --help)", what);
	return EXIT_USAGE;
}

/* Returns the exit status to leave with, or -1 to go on. */
static int parse_options(int argc, char **argv, struct attach_options *attach)
{
	int status = cli_parse(&cmd_attach, argc, argv, attach);

	if (status >= 0)
		return status;
	if (attach->list == attach->environment.is_made)
		return refuse(attach->list ? "either --list or --env, not both" :
					     "--list or --env is missing");
	if (attach->json && !attach->list)
		return refuse("--json is of --list");
	if (attach->environment.is_made && !attach->environment.choice.is_made && optind == argc)
		return refuse("--env needs a program, or a list");
	return -1;
}

static int print_list(const struct attach_plan *plan, bool json)
{
	(json ? attach_print_json : attach_print_text)(plan, stdout);
	return EXIT_OK;
}

static int print_environment(const struct attach_plan *plan, const struct attach_choice *choice)
{
	bool loads_any = attach_complain(plan, choice, "attach: --env");

	attach_environment_print(&plan->environment, stdout);
	return loads_any ? EXIT_OK : EXIT_BAD_INPUT;
}

/* @command: NULL, of --env only. */
static int run_plan(char **command, const struct attach_options *given)
{
	const struct attach_choice *choice = &given->environment.choice;
	struct attach_plan plan;
	int status;

	attach_plan_make(&plan, command, choice);
	status = given->list ? print_list(&plan, given->json) : print_environment(&plan, choice);
	attach_plan_free(&plan);
	return status;
}

static int run(int argc, char **argv)
{
	struct attach_options given = { 0 };
	int status = parse_options(argc, argv, &given);
	char **command;

	if (status >= 0)
		return status;
	command = optind < argc ? argv + optind : NULL;
	if (command && check_command("attach", *command))
		return EXIT_BAD_INPUT;
	if (command || !given.list)
		return run_plan(command, &given);
	(given.json ? attach_print_fronts_json : attach_print_fronts_text)(stdout);
	return EXIT_OK;
}

const struct cli_command cmd_attach = {
	.name = "attach",
	.summary = "tell what annot record --attach would annotate",
	.usage = usage,
	.about =
		"Tells what annot record --attach would load into PROGRAM, which nobody annotated: fronts, which "
		"annotate it by what its OpenMP, MPI and the like tell. Prints the environment with which others, "
		"such as a batch script, load the same.",
	.options = options,
	.notes = "For a launcher: eval \"$(annot attach --env ./program)\".",
	.has_program = true,
	.operand = CLI_PROGRAM,
	.run = run,
};
